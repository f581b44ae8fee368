import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Driver, InputSource } from './driver.ts'

/** Debian's package; Playwright drives only its own patched Firefox. */
export const firefoxPath = '/usr/bin/firefox-esr'

/** Downloads go to a folder without asking; no background requests. */
const preferences = (downloads: string) => ({
  'browser.download.folderList': 2,
  'browser.download.dir': downloads,
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
})

type Answer = { id?: number; type: string; method?: string; params?: unknown; result?: unknown; message?: string }

/** Firefox over WebDriver BiDi (https://w3c.github.io/webdriver-bidi). */
export class Firefox implements Driver {
  readonly #errors: string[] = []
  readonly #socket: WebSocket
  readonly #end: () => Promise<void>
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #context = ''
  #asked = 0

  private constructor(socket: WebSocket, end: () => Promise<void>) {
    this.#socket = socket
    this.#end = end
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(String(data)) as Answer)
    socket.onclose = () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Firefox has ended.'))
    }
  }

  /** @param folder private folder for its profile and `Downloads` */
  static async start(folder: string): Promise<Firefox> {
    const lines = Object.entries(preferences(join(folder, 'Downloads'))).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    )
    await writeFile(join(folder, 'user.js'), lines.join('\n'))
    const child = spawn(firefoxPath, ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const gone = once(child, 'exit')
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stderr }).on('line', (line) => {
        const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
        if (address !== undefined) resolve(address)
      })
      gone.then(([code]) => reject(new Error(`Firefox ended with ${code}.`)), reject)
    })
    const socket = new WebSocket(`${url}/session`)
    await once(socket, 'open')
    const firefox = new Firefox(socket, async () => {
      child.kill()
      await gone
    })
    await firefox.#begin()
    return firefox
  }

  async #begin(): Promise<void> {
    await this.#ask('session.new', { capabilities: {} })
    await this.#ask('session.subscribe', { events: ['log.entryAdded'] })
    const { contexts } = (await this.#ask('browsingContext.getTree', {})) as { contexts: { context: string }[] }
    this.#context = contexts[0]?.context ?? ''
    await this.#ask('browsingContext.setViewport', { context: this.#context, viewport: { width: 1440, height: 900 } })
  }

  async #ask(method: string, params: object): Promise<unknown> {
    this.#asked += 1
    const answer = Promise.withResolvers<unknown>()
    this.#waiting.set(this.#asked, answer)
    this.#socket.send(JSON.stringify({ id: this.#asked, method, params }))
    return await answer.promise
  }

  #receive({ id, type, method, params, result, message }: Answer): void {
    if (method === 'log.entryAdded') {
      const { level, text } = params as { level: string; text: string | null }
      // Firefox logs each font that a navigation aborts.
      if (level === 'error' && !text?.startsWith('downloadable font: download failed')) this.#errors.push(String(text))
    }
    const answer = this.#waiting.get(id ?? 0)
    this.#waiting.delete(id ?? 0)
    if (type === 'error') answer?.reject(new Error(message))
    else answer?.resolve(result)
  }

  async open(url: string): Promise<void> {
    await this.#ask('browsingContext.navigate', { context: this.#context, url, wait: 'complete' })
  }

  async #run(expression: string): Promise<{ value: string; sharedId: string }> {
    const target = { context: this.#context }
    const ran = (await this.#ask('script.evaluate', { expression, target, awaitPromise: true })) as {
      result: { value: string; sharedId: string }
      exceptionDetails?: { text: string }
    }
    if (ran.exceptionDetails !== undefined) throw new Error(ran.exceptionDetails.text)
    return ran.result
  }

  async evaluate(expression: string): Promise<string> {
    return (await this.#run(expression)).value
  }

  async act(actions: readonly InputSource[]): Promise<void> {
    await this.#ask('input.performActions', { context: this.#context, actions })
  }

  async chooseFiles(selector: string, files: readonly string[]): Promise<void> {
    const { sharedId } = await this.#run(`document.querySelector(${JSON.stringify(selector)})`)
    await this.#ask('input.setFiles', { context: this.#context, element: { sharedId }, files })
  }

  async screenshot(): Promise<string> {
    return ((await this.#ask('browsingContext.captureScreenshot', { context: this.#context })) as { data: string }).data
  }

  async loggedErrors(): Promise<string[]> {
    return this.#errors
  }

  async close(): Promise<void> {
    await this.#end()
  }
}
