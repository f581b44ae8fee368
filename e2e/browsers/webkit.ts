import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import type { Driver, InputSource } from './driver.ts'

/** Debian's packages; Playwright drives only its own patched WebKit. */
export const webkitPath = '/usr/bin/WebKitWebDriver'
const browserOptions = {
  binary: '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
  args: ['--automation'],
}
/** WebDriver's property name for an element reference. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Ends a process and its whole process group. */
async function endGroup(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  process.kill(-(child.pid ?? 0))
  await gone
}

/** A virtual display: MiniBrowser has no headless mode. @returns its process and number */
async function startScreen(): Promise<[ChildProcess, string]> {
  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const [line] = (await once(createInterface({ input: screen.stdout }), 'line')) as [string]
  return [screen, line.trim()]
}

/** Records errors logged in the page from now on: this protocol does not report them. */
function keepErrors(): string {
  const errors: string[] = []
  Object.assign(window, { loggedErrors: errors })
  Object.assign(console, { error: (...words: unknown[]) => void errors.push(words.join(' ')) })
  window.addEventListener('error', ({ message }) => errors.push(message))
  window.addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)))
  return ''
}

/** WebKitGTK's MiniBrowser over WebDriver (https://www.w3.org/TR/webdriver2). */
export class WebKit implements Driver {
  readonly #screen: ChildProcess
  readonly #process: ChildProcess
  readonly #errors: string[] = []
  #session: URL

  private constructor(screen: ChildProcess, process: ChildProcess, url: URL) {
    this.#screen = screen
    this.#process = process
    this.#session = url
  }

  /** @param folder private folder for its home and `Downloads` */
  static async start(folder: string): Promise<WebKit> {
    const [screen, number] = await startScreen()
    await mkdir(join(folder, '.config'))
    await writeFile(join(folder, '.config/user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n')
    const port = await freePort()
    const driver = spawn(webkitPath, [`--port=${port}`], {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        DISPLAY: `:${number}`,
        LIBGL_ALWAYS_SOFTWARE: '1',
        // The sandbox needs namespaces, which containers deny; the pages are our own.
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      },
      stdio: 'ignore',
      detached: true,
    })
    const webkit = new WebKit(screen, driver, new URL(`http://127.0.0.1:${port}/session`))
    await webkit.#begin()
    return webkit
  }

  async #begin(): Promise<void> {
    // It prints nothing when it starts listening, so poll.
    while (!(await fetch(new URL('status', this.#session)).catch(() => null))) await setTimeout(50)
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': browserOptions } }
    const { sessionId } = (await this.#ask('', { capabilities })) as { sessionId: string }
    this.#session = new URL(`session/${sessionId}`, this.#session)
    await this.#ask('/window/rect', { x: 0, y: 0, width: 1440, height: 1000 })
  }

  async #ask(path: string, body: object): Promise<unknown> {
    const answer = await fetch(`${this.#session}${path}`, { method: 'POST', body: JSON.stringify(body) })
    const { value } = (await answer.json()) as { value: unknown }
    if (!answer.ok) throw new Error(JSON.stringify(value))
    return value
  }

  async open(url: string): Promise<void> {
    await this.#collectErrors()
    await this.#ask('/url', { url })
    await this.evaluate(`(${keepErrors})()`)
  }

  async #collectErrors(): Promise<void> {
    this.#errors.push(...(JSON.parse(await this.evaluate('JSON.stringify(window.loggedErrors ?? [])')) as string[]))
  }

  async loggedErrors(): Promise<string[]> {
    await this.#collectErrors()
    return this.#errors
  }

  async evaluate(expression: string): Promise<string> {
    return (await this.#ask('/execute/sync', { script: `return ${expression}`, args: [] })) as string
  }

  async act(actions: readonly InputSource[]): Promise<void> {
    await this.#ask('/actions', { actions })
  }

  async chooseFiles(selector: string, paths: readonly string[]): Promise<void> {
    const found = (await this.#ask('/element', { using: 'css selector', value: selector })) as Record<string, string>
    await this.#ask(`/element/${found[elementKey]}/value`, { text: paths.join('\n') })
  }

  async screenshot(): Promise<string> {
    return ((await (await fetch(`${this.#session}/screenshot`)).json()) as { value: string }).value
  }

  async close(): Promise<void> {
    await fetch(this.#session, { method: 'DELETE' })
    await endGroup(this.#process)
    await endGroup(this.#screen)
  }
}
