const seconds = 1_000

/** Decodes base64. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.codePointAt(0) ?? 0)
}

/**
 * Verifies a webhook's signature (Standard Webhooks) and reads its body.
 * @param headers of the request, in any case
 * @param body exactly as it arrived, not parsed and written again
 * @param secret `whsec_…`, from Settings › API and webhooks
 * @param toleranceSeconds how old, or ahead of this clock, it may be
 * @returns the id of the file whose progress changed
 * @throws Error if it is not from the service, was changed, or is too old
 */
export async function verifyWebhook(
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  secret: string,
  toleranceSeconds = 300,
): Promise<{ id: string }> {
  const all =
    headers instanceof Headers
      ? headers
      : new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    all.get(name),
  )
  if (!id || !timestamp || !signatures) throw new Error('The request has no signature of a webhook.')
  if (!(Math.abs(Date.now() / seconds - Number(timestamp)) <= toleranceSeconds)) {
    throw new Error('The webhook is too old, or the clock of this machine is wrong.')
  }
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.trim().replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const signature of signatures.split(' ')) {
    const [version, text = ''] = signature.split(',')
    // `verify` compares in constant time.
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(text), signed))) return JSON.parse(body)
  }
  throw new Error('The signature of the webhook is wrong: another secret, or a changed body.')
}
