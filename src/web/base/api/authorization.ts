/** `Authorization` of spec 5: the key as user name, an empty password. */
export function authorization(key: string): string {
  // Keys of other services may contain any character; Basic credentials are the UTF-8 bytes in base64 (RFC 7617).
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${key}:`)))}`
}
