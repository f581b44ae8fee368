import { ApiError, type Credentials } from '../../api/client.ts'
import { FileProblem, findFile } from '../tray/find-file.ts'
import type { Agreement, Line, Owner } from '../tray/line.ts'
import type { Failure } from './failure.ts'
import type { Abilities, QueuePorts } from './queue-ports.ts'
import { mayHaveArrived, progress, sendingState, type Transfer } from './transfer.ts'

/** The service forgets an Idempotency-Key after this (decision 7): then only its list can tell what became of a line. */
const keyKeptMs = 24 * 60 * 60 * 1_000

/** One try of a line, while it lasts. */
export type Running = {
  readonly controller: AbortController
  transfer: Transfer
  readonly owner: Owner
  readonly resumes: boolean
  /** why it was ended from here, if it was */
  why: 'removed' | 'held' | null
}

export type AgreedLine = Line & { readonly agreement: Agreement }

/**
 * Sends a line once and notes what it becomes.
 * @throws ApiError, FileProblem, or AbortError where `running` was ended
 */
export async function attempt(
  ports: QueuePorts,
  line: AgreedLine,
  credentials: Credentials,
  abilities: Abilities,
  running: Running,
): Promise<void> {
  const { lines, now } = ports
  const { signal } = running.controller
  const mustAsk = line.unclearSince !== null && (!abilities.knowsKeys || now() - line.unclearSince > keyKeptMs)
  if (mustAsk && (await isThere(ports, line, credentials))) return
  lines.change([line.id], { state: sendingState(running.transfer, now()) })
  const file = await findFile(line)
  if (!abilities.knowsKeys && line.idsBefore === null) {
    lines.change([line.id], { idsBefore: await ports.listIds(credentials) })
  }
  // Before the first byte, so that no reload can ever send it under another key.
  lines.change([line.id], { unclearSince: line.unclearSince ?? now() })
  await ports.saved(line.id)
  signal.throwIfAborted()
  const fileId = await ports.send(credentials, line, file, {
    signal,
    resumes: abilities.resumes,
    onUrl: (resumeUrl) => lines.change([line.id], { resumeUrl }),
    onProgress: (sentBytes) => {
      running.transfer = progress(running.transfer, now(), sentBytes)
    },
    onSent: () => {
      running.transfer = { ...running.transfer, isSent: true }
      lines.change([line.id], { state: { is: 'confirming', since: now() } })
    },
  })
  lines.change([line.id], { state: { is: 'ordered', fileId }, unclearSince: null })
  ports.onOrdered(line, fileId)
}

/** Asks the service for a file that may be this line, and fails the line with it where there is one. */
export async function isThere(
  { lines, findExisting }: QueuePorts,
  line: Line,
  credentials: Credentials,
): Promise<boolean> {
  lines.change([line.id], { state: { is: 'checking' } })
  const existing = await findExisting(credentials, line)
  if (existing === null) return false
  lines.change([line.id], { state: { is: 'failed', failure: { kind: 'found', ...existing } } })
  return true
}

/** Why an attempt failed: the service's answer, the file on disk, or the connection. */
export async function failureOf(line: Line, transfer: Transfer, error: unknown): Promise<Failure> {
  if (error instanceof ApiError && error.status > 0)
    return { kind: 'refused', status: error.status, message: error.message }
  const fileProblem = error instanceof FileProblem ? error : await problemOf(line)
  if (fileProblem !== null) return fileProblem.failure
  if (!(error instanceof ApiError)) throw error
  return mayHaveArrived(transfer)
    ? { kind: 'unclear' }
    : { kind: 'dropped', sentBytes: transfer.sentBytes, resumable: false }
}

/** A browser ends an upload without a word when its file changed on disk: looked at only then. */
async function problemOf(line: Line): Promise<FileProblem | null> {
  try {
    await findFile(line)
    return null
  } catch (error) {
    if (error instanceof FileProblem) return error
    throw error
  }
}
