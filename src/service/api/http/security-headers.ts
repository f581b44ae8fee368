/**
 * Content Security Policy of the dashboard (decision 15). Sent with all its files, since a worker obeys its own file's.
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

/** Content Security Policy of everything else: an API response opened in a tab may load nothing. */
const noPagePolicy = "default-src 'none'; frame-ancestors 'none'"

/**
 * Sent with every response, including errors. A constant rather than a per-request plugin, since a dashboard sends ten
 * thousand HEAD requests in a row.
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
