import { existsSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { Driver, InputSource } from './driver.ts'
import { Firefox, firefoxPath } from './firefox.ts'
import { WebKit, webkitPath } from './webkit.ts'

/** A point in the window, in CSS pixels. */
type Place = [x: number, y: number]

const kinds = {
  Firefox: { path: firefoxPath, start: Firefox.start },
  WebKit: { path: webkitPath, start: WebKit.start },
}
export type BrowserName = keyof typeof kinds
export const browserNames = Object.keys(kinds) as BrowserName[]

/** True if the set-up has installed it. */
export const isInstalled = (name: BrowserName): boolean => existsSync(kinds[name].path)

/** WebDriver's private-use characters for keys without a character. */
const keyCodes: Record<string, string> = {
  Enter: '\uE007',
  Control: '\uE009',
  Alt: '\uE00A',
  Delete: '\uE017',
  Shift: '\uE008',
  Escape: '\uE00C',
  Tab: '\uE004',
  Home: '\uE011',
  End: '\uE010',
  Backspace: '\uE003',
  ArrowLeft: '\uE012',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
}

/** A browser that Playwright cannot drive, operated through visible content, mouse and keys. */
export class OtherBrowser {
  readonly #driver: Driver
  readonly #folder: string

  private constructor(driver: Driver, folder: string) {
    this.#driver = driver
    this.#folder = folder
  }

  static async start(name: BrowserName): Promise<OtherBrowser> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-browser-'))
    await mkdir(join(folder, 'Downloads'))
    return new OtherBrowser(await kinds[name].start(folder), folder)
  }

  async close(): Promise<void> {
    await this.#driver.close()
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 })
  }

  async open(url: URL): Promise<void> {
    await this.#driver.open(url.href)
  }

  screenshot = () => this.#driver.screenshot()
  loggedErrors = () => this.#driver.loggedErrors()

  /** Runs a function in the page; it must use only its arguments. */
  async run<Args extends unknown[], Result>(
    script: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    const call = `Promise.resolve((${script})(...${JSON.stringify(args)})).then((value) => JSON.stringify(value ?? null))`
    return JSON.parse(await this.#driver.evaluate(call)) as Awaited<Result>
  }

  /** Waits until the page shows these words. */
  async shows(words: RegExp, timeout?: number): Promise<void> {
    await expect.poll(() => this.run(() => document.body.innerText), timeout ? { timeout } : {}).toMatch(words)
  }

  /** Waits for the first button, link, field or item with this name, and clicks it. */
  async press(name: RegExp): Promise<void> {
    let place: Place | null = null
    const find = async () => {
      place = await this.run(placeOfControl, name.source)
      return place
    }
    await expect.poll(find, `something to press that is called ${name}`).not.toBeNull()
    await this.click(place ?? [0, 0])
  }

  async click([x, y]: Place, times = 1): Promise<void> {
    const press = [
      { type: 'pointerDown' as const, button: 0 },
      { type: 'pointerUp' as const, button: 0 },
    ]
    const actions = [
      { type: 'pointerMove' as const, x: Math.round(x), y: Math.round(y) },
      ...Array.from({ length: times }, () => press).flat(),
    ]
    await this.#driver.act([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }])
  }

  async type(text: string): Promise<void> {
    await this.#driver.act([keysOf([...text].map((letter) => [letter]))])
  }

  /** @param chord `Enter`, `Control+z` */
  async key(chord: string): Promise<void> {
    await this.#driver.act([keysOf([chord.split('+').map((key) => keyCodes[key] ?? key)])])
  }

  async chooseFiles(selector: string, paths: readonly string[]): Promise<void> {
    await this.#driver.chooseFiles(selector, paths)
  }

  /** Waits for a file in the downloads folder. @returns its path */
  async downloaded(name: string): Promise<string> {
    const path = join(this.#folder, 'Downloads', name)
    // Firefox first creates an empty file there.
    await expect.poll(() => existsSync(path) && statSync(path).size > 0, `${name} to be downloaded`).toBe(true)
    return path
  }
}

/** Chords in sequence: the keys of each go down in order, and up again. */
function keysOf(chords: readonly (readonly string[])[]): InputSource {
  const actions = chords.flatMap((keys) => [
    ...keys.map((value) => ({ type: 'keyDown' as const, value })),
    ...keys.toReversed().map((value) => ({ type: 'keyUp' as const, value })),
  ])
  return { type: 'key', id: 'keyboard', actions }
}

/** In the page: the center of the first control whose name matches and that is not covered. */
function placeOfControl(source: string): Place | null {
  const name = new RegExp(source)
  const controls = 'a, button, input, [role="menuitem"], [role="checkbox"], [role="option"]'
  for (const control of document.querySelectorAll<HTMLElement>(controls)) {
    const label = control instanceof HTMLInputElement ? control.labels?.[0]?.textContent : null
    if (!name.test((control.ariaLabel ?? label ?? control.textContent).trim())) continue
    control.scrollIntoView({ block: 'nearest' })
    const { left, top, width, height } = control.getBoundingClientRect()
    const place: Place = [left + width / 2, top + height / 2]
    const hit = document.elementFromPoint(...place)
    const isReached = hit !== null && (control.contains(hit) || hit.contains(control))
    if (width > 0 && isReached && !control.matches(':disabled')) return place
  }
  return null
}
