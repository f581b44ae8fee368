type Press = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>

/**
 * The key of a shortcut on every keyboard: on layouts of other scripts a letter by its place, and a capital only with
 * Shift, whatever Caps Lock says.
 */
export function shortcutKey({ key, code, shiftKey }: Press): string {
  const isOtherScript = /^\p{L}$/u.test(key) && !/\p{Script=Latin}/u.test(key)
  const letter = isOtherScript ? /^Key([A-Z])$/.exec(code)?.[1] : /^[a-z]$/i.exec(key)?.[0]
  if (letter === undefined) return key
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase()
}
