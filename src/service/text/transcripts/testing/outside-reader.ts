import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/*
 * For tests: third-party programs that read our output. `npm run setup` installs ffmpeg, poppler-utils, qpdf, antiword
 * and catdoc, so a test that needs them fails without them. LibreOffice has 500 MB, and some are packaged only by
 * Debian: tests that need those are skipped without them.
 */

const run = promisify(execFile)

/** True if a program is in the path. */
export function hasProgram(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Calls `use` with the content as a file in a directory, which is removed afterwards. */
async function withFile<Result>(
  content: Uint8Array | string,
  extension: string,
  use: (path: string, directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-reader-'))
  try {
    const path = join(directory, `transcript.${extension}`)
    await writeFile(path, content)
    return await use(path, directory)
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** A program's output for a file; `%` among its arguments is the file. */
export function readWith(
  program: string,
  args: readonly string[],
  content: Uint8Array | string,
  extension: string,
): Promise<string> {
  return withFile(content, extension, async (path) => {
    const filled = args.map((arg) => (arg === '%' ? path : arg))
    return (await run(program, filled, { maxBuffer: 100_000_000 })).stdout
  })
}

function convertedByLibreOffice(content: Uint8Array, extension: string, to: string): Promise<Buffer> {
  return withFile(content, extension, async (path, directory) => {
    const profile = `-env:UserInstallation=file://${directory}/profile`
    const format = ['--convert-to', to, '--outdir', `${directory}/out`]
    await run('soffice', [profile, '--headless', ...format, path], { timeout: 120_000 })
    return await readFile(`${directory}/out/transcript.${to.slice(0, 3)}`)
  })
}

/** The text of a document as read by LibreOffice. */
export async function readWithLibreOffice(content: Uint8Array, extension: string): Promise<string> {
  const text = await convertedByLibreOffice(content, extension, 'txt:Text (encoded):UTF8')
  return text.toString().replace(/^\ufeff/, '')
}

/** A document as rendered by LibreOffice, as a PDF. */
export function printedByLibreOffice(content: Uint8Array, extension: string): Promise<Uint8Array> {
  return convertedByLibreOffice(content, extension, 'pdf')
}
