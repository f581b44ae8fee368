/** Decision 15: what the dashboard may do. Sent with its page and files, of which a worker obeys its own file's. */
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

/** Answers of the interfaces are no pages: opened in a tab, they may do nothing at all. */
const noPagePolicy = "default-src 'none'; frame-ancestors 'none'"

/**
 * Sent with every answer, errors included. A constant, not a plugin that puts them together anew for each request:
 * HEAD of a file is asked ten thousand times in a row.
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
