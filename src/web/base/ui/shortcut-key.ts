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

type Chord = Press & Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'getModifierState'>

/**
 * A pressed key with its modifiers, in one spelling: `Ctrl+Shift+z`, `Alt+1`, `F4`, `Space`, `?`. Command counts as Ctrl.
 * AltGr types signs, and is not Ctrl and Alt.
 */
export function readChord(event: Chord): string {
  const isCommand = !event.getModifierState('AltGraph')
  const isAlt = event.altKey && isCommand
  // With Alt, macOS types other signs.
  const onBoard = isAlt && !/^[a-z\d]$/i.test(event.key) ? /^(?:Key|Digit)(.)$/.exec(event.code)?.[1] : undefined
  const key = onBoard?.toLowerCase() ?? shortcutKey(event)
  const isLetter = /^[a-z]$/i.test(key)
  const modifiers = [
    isCommand && (event.ctrlKey || event.metaKey) && 'Ctrl',
    isAlt && 'Alt',
    event.shiftKey && (isLetter || key.length > 1) && 'Shift',
  ]
  const name = isLetter ? key.toLowerCase() : key === ' ' ? 'Space' : key
  return [...modifiers.filter((one) => one !== false), name].join('+')
}
