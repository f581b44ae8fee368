export type ServerSentEvent = { id: string | null; kind: string; data: string }

/**
 * Parses server-sent events from a stream of text (HTML standard, "server-sent events"). Comments only signal that the
 * stream is alive: `onAnything` is called for every chunk that arrives.
 */
export async function* readServerSentEvents(
  stream: ReadableStream<Uint8Array>,
  onAnything: () => void,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  // Safari's streams are not iterable.
  const reader = stream.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    onAnything()
    rest += decoder.decode(read.value, { stream: true })
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseBlock(block)
      if (event) yield event
    }
  }
}

function parseBlock(block: string): ServerSentEvent | null {
  let id: string | null = null
  let kind = 'message'
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? []
    if (field === 'id') id = value
    else if (field === 'event') kind = value
    else if (field === 'data') data.push(value)
  }
  return data.length === 0 ? null : { id, kind, data: data.join('\n') }
}
