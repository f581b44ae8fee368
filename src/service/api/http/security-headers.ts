/**
 * Content policy of the dashboard (decision 15). Sent with its page and all files, since a worker obeys its own file's.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Content policy of everything else: opened in a tab, an answer of the interfaces may load nothing. */
const noPagePolicy = "default-src 'none'; frame-ancestors 'none'"

/**
 * Sent with every answer, errors included. A constant, not a plugin that builds them for each request: a dashboard
 * sends ten thousand HEAD requests in a row.
 */
export const securityHeaders = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'content-security-policy': noPagePolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const
