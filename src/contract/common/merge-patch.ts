/** A JSON object as it comes from `JSON.parse`. */
export type JsonObject = { readonly [name: string]: unknown }

/** Neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Applies a JSON merge patch (RFC 7396): members of objects are merged, at every depth; null removes a member;
 * everything else, including arrays, replaces the old value. Idempotent.
 * @returns a new value; neither argument is changed
 */
export function mergePatch(target: unknown, patch: JsonObject): JsonObject {
  const merged = new Map(isJsonObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, isJsonObject(value) ? mergePatch(merged.get(name), value) : value)
  }
  return Object.fromEntries(merged)
}
