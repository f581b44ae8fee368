/** An input source with its actions, in the format of both WebDriver protocols. */
type KeyAction = { type: 'keyDown' | 'keyUp'; value: string }
type PointerAction =
  | { type: 'pointerMove'; x: number; y: number }
  | { type: 'pointerDown' | 'pointerUp'; button: number }
export type InputSource =
  | { type: 'key'; id: string; actions: KeyAction[] }
  | { type: 'pointer'; id: string; parameters: { pointerType: 'mouse' }; actions: PointerAction[] }

/**
 * Operations that tests need of a non-Chromium browser, independent of its protocol. One window only. Not
 * `selenium-webdriver`: it starts Firefox only through geckodriver, which Debian does not package.
 */
export interface Driver {
  /** Navigates to a URL and waits until the page has loaded. */
  open(url: string): Promise<void>
  /** Evaluates an expression in the page. @returns its value, a string */
  evaluate(expression: string): Promise<string>
  act(sources: readonly InputSource[]): Promise<void>
  /** Sets local files on the first file input that matches the selector. */
  chooseFiles(selector: string, paths: readonly string[]): Promise<void>
  /** A screenshot of the window, PNG in base64. */
  screenshot(): Promise<string>
  /** Errors logged by pages so far. */
  loggedErrors(): Promise<string[]>
  close(): Promise<void>
}
