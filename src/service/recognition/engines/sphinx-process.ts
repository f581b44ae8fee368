import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { HeardWord } from '../engine.ts'
import { EngineError } from '../engine.ts'

/** Name of an empty utterance, used as a flush marker: once its line appears, everything before it has been written. */
const mark = 'mark'
const frameSeconds = 0.01

/**
 * /dev/stdin and /dev/stdout can be opened only if they are pipes; Node gives its children sockets, hence the two
 * `cat`. Low priority: requests come first.
 */
const pipeline = 'cat | nice -n 5 "$@" | cat'

/** `directory`: for its audio files, which a crash leaves behind */
export type SphinxCommand = { command: string; arguments: readonly string[]; directory: string }

/**
 * Parses `clip 1 0.72 0.25 was(2) 0.110`: name, channel, start, duration, word, confidence; null for any other line.
 */
export function parseCtmLine(line: string): HeardWord | null {
  const [, channel, start, duration, rawWord, confidence, ...more] = line.split(' ')
  if (channel !== '1' || rawWord === undefined || confidence === undefined || more.length > 0) return null
  const word = rawWord.replace(/\(\d+\)$/, '')
  const isFiller = /^(<.*>|\[.*\]|\+\+.*\+\+)$/.test(word)
  if (isFiller || word === '') return null
  const from = Number(start)
  // The duration counts frames between the first and the last, so one frame is missing.
  const end = from + Number(duration) + frameSeconds
  const conf = Number(confidence)
  if (![from, end, conf].every(Number.isFinite)) return null
  return { text: word, start: from, end: Math.round(end * 100) / 100, confidence: Math.min(1, Math.max(0, conf)) }
}

type Asked = { words: HeardWord[]; heard: boolean; resolve: (words: HeardWord[]) => void; reject: (e: Error) => void }

/**
 * A long-running `pocketsphinx_batch`: it reads utterance names from standard input instead of a list, so that the
 * model is loaded once, and writes words (CTM) and sentences as each utterance ends. Each utterance is normalized
 * separately, so that a piece gives the same words regardless of earlier ones.
 */
export class SphinxProcess {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #directory: string
  #asked: Asked | null = null
  #lastError = ''
  #utterances = 0
  /** false once it has exited or been killed */
  alive = true

  static async start({ command, arguments: given, directory: parent }: SphinxCommand): Promise<SphinxProcess> {
    const directory = await mkdtemp(join(parent, 'sphinx-'))
    await writeFile(join(directory, `${mark}.raw`), '')
    const input = ['-adcin', 'yes', '-cepdir', directory, '-cepext', '.raw', '-ctl', '/dev/stdin']
    const output = ['-remove_silence', 'no', '-ctm', '/dev/stdout', '-hyp', '/dev/stdout']
    const shell = ['-c', pipeline, 'sh', command, ...input, ...output, ...given]
    // A process group, to be killed together. If this process is killed, the input closes and the group exits.
    return new SphinxProcess(spawn('sh', shell, { detached: true }), directory)
  }

  private constructor(child: ChildProcessWithoutNullStreams, directory: string) {
    this.#child = child
    this.#directory = directory
    child.stdin.on('error', () => {}) // a closed pipe is reported by 'close'
    child.once('error', (error) => this.#end(error.message))
    child.once('close', (code, signal) => this.#end(`it ended with ${signal ?? code}. ${this.#lastError}`))
    createInterface({ input: child.stdout }).on('line', (line) => this.#read(line))
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (/^(ERROR|FATAL)/.test(line)) this.#lastError = line.slice(0, 300)
    })
  }

  /**
   * Recognizes one utterance at a time.
   * @throws EngineError if the process exits, or could not read the utterance
   */
  async recognize(pcm: Int16Array): Promise<HeardWord[]> {
    this.#utterances += 1
    const name = `u${this.#utterances}`
    const path = join(this.#directory, `${name}.raw`)
    await writeFile(path, new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength))
    try {
      return await new Promise((resolve, reject) => {
        if (!this.alive) return reject(new EngineError('pocketsphinx has ended.', true))
        this.#asked = { words: [], heard: false, resolve, reject }
        this.#child.stdin.write(`${name}\n${mark}\n`)
      })
    } finally {
      await rm(path, { force: true })
    }
  }

  kill(): void {
    this.alive = false
    // Synchronous: on shutdown no later callback runs.
    rmSync(this.#directory, { recursive: true, force: true })
    if (this.#child.pid === undefined || this.#child.exitCode !== null) return
    try {
      process.kill(-this.#child.pid, 'SIGKILL')
    } catch {
      // The process has already exited.
    }
  }

  #read(line: string): void {
    const asked = this.#asked
    if (asked === null) return
    const sentence = / ?\((u\d+|mark) -?\d+\)$/.exec(line)
    if (sentence === null) {
      const word = parseCtmLine(line)
      if (word !== null) asked.words.push(word)
    } else if (sentence[1] === `u${this.#utterances}`) {
      asked.heard = true
    } else if (sentence[1] === mark) {
      this.#asked = null
      if (asked.heard) asked.resolve(asked.words)
      else
        asked.reject(new EngineError(`pocketsphinx could not read a part of the recording. ${this.#lastError}`, true))
    }
  }

  #end(message: string): void {
    this.alive = false
    rm(this.#directory, { recursive: true, force: true }).catch(() => {}) // the next start removes it
    this.#asked?.reject(new EngineError(`pocketsphinx failed: ${message}`, true))
    this.#asked = null
  }
}
