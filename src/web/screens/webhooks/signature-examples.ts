/** Code that verifies the signature of a delivery (Standard Webhooks 1.0), with each language's standard library alone. */
export const signatureExamples = [
  {
    language: 'Node.js',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto'

// body: the request's bytes as text, before any JSON parser touched them
export function isFromParley(secret, headers, body) {
  const id = headers['webhook-id'], time = headers['webhook-timestamp']
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const mine = createHmac('sha256', key).update(\`\${id}.\${time}.\${body}\`).digest()
  return headers['webhook-signature'].split(' ').some((signature) => {
    const theirs = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return theirs.length === mine.length && timingSafeEqual(theirs, mine)
  })
}`,
  },
  {
    language: 'Python',
    code: `import base64, hashlib, hmac, time

# body: the request's bytes, before any JSON parser touched them
def is_from_parley(secret, headers, body):
    msg_id, stamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(stamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{msg_id}.{stamp}.".encode() + body
    mine = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(s.removeprefix("v1,"), mine)
               for s in headers["webhook-signature"].split(" "))`,
  },
  {
    language: 'Go',
    code: `// body: the request's bytes, before any JSON parser touched them
func isFromParley(secret string, h http.Header, body []byte) bool {
	id, stamp := h.Get("webhook-id"), h.Get("webhook-timestamp")
	sent, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-sent)) > 300 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, stamp, body)
	for _, signature := range strings.Fields(h.Get("webhook-signature")) {
		theirs, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(signature, "v1,"))
		if err == nil && hmac.Equal(theirs, mac.Sum(nil)) {
			return true
		}
	}
	return false
}`,
  },
  {
    language: 'PHP',
    code: `// $body: file_get_contents('php://input')
function is_from_parley(string $secret, array $headers, string $body): bool {
    [$id, $time] = [$headers['webhook-id'], $headers['webhook-timestamp']];
    if (abs(time() - (int) $time) > 300) return false;
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $mine = base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $signature) {
        if (hash_equals($mine, preg_replace('/^v1,/', '', $signature))) return true;
    }
    return false;
}`,
  },
  {
    language: 'Ruby',
    code: `require 'base64'
require 'openssl'

# body: request.raw_post
def from_parley?(secret, headers, body)
  id, time = headers['webhook-id'], headers['webhook-timestamp']
  return false if (Time.now.to_i - time.to_i).abs > 300
  key = Base64.decode64(secret.delete_prefix('whsec_'))
  mine = Base64.strict_encode64(OpenSSL::HMAC.digest('SHA256', key, "#{id}.#{time}.#{body}"))
  headers['webhook-signature'].split.any? do |signature|
    OpenSSL.secure_compare(signature.delete_prefix('v1,'), mine)
  end
end`,
  },
] as const
