/** One source of input with what it does, as both WebDriver protocols write it. */
type KeyAction = { type: 'keyDown' | 'keyUp'; value: string }
type PointerAction =
  | { type: 'pointerMove'; x: number; y: number }
  | { type: 'pointerDown' | 'pointerUp'; button: number }
export type InputSource =
  | { type: 'key'; id: string; actions: KeyAction[] }
  | { type: 'pointer'; id: string; parameters: { pointerType: 'mouse' }; actions: PointerAction[] }

/**
 * What a browser of another maker is asked for, whichever protocol it speaks. It has one window. Not `selenium-webdriver`: it
 * starts Firefox by geckodriver alone, which Debian does not package.
 */
export interface Driver {
  /** Goes to an address and waits until the page has loaded. */
  open(url: string): Promise<void>
  /** Evaluates an expression in the page. @returns its value, which is a string */
  evaluate(expression: string): Promise<string>
  act(sources: readonly InputSource[]): Promise<void>
  /** Puts files of this machine into the first field that the selector finds. */
  chooseFiles(selector: string, paths: readonly string[]): Promise<void>
  /** A picture of the window, PNG in base64. */
  screenshot(): Promise<string>
  /** What pages have logged as errors so far. */
  loggedErrors(): Promise<string[]>
  close(): Promise<void>
}
