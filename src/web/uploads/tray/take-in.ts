import { isOwnedBy, lines, queue } from '../uploads.ts'
import { inspectLines } from './inspector.ts'
import type { FileSource, Line, Owner } from './line.ts'
import { linkName } from './links.ts'

/** A file as it was dropped, chosen, pasted or recorded. */
export type TakenFile = { file: File; handle: FileSystemFileHandle | null; recordedMs?: number }

function draft(owner: Owner, name: string, bytes: number, source: Line['source']): Line {
  return {
    id: crypto.randomUUID(),
    owner: { environment: owner.environment, account: owner.account },
    source,
    name,
    bytes,
    addedAt: Date.now(),
    inspection: null,
    overrides: {},
    agreement: null,
    state: { is: 'draft' },
    resumeUrl: null,
    unclearSince: null,
    idsBefore: null,
  }
}

/** The line that has lost this file by a reload, recognised by name, size and time. */
function lineThatWaitsFor(owner: Owner, file: File): Line | null {
  const found = lines
    .all()
    .find(
      ({ source, ...line }) =>
        source.kind === 'file' &&
        source.file === null &&
        isOwnedBy({ source, ...line }, owner) &&
        line.name === file.name &&
        line.bytes === file.size &&
        source.lastModified === file.lastModified,
    )
  return found ?? null
}

/** A failed line whose file changed or went: the new version takes its place, at its own price. */
function isReplacedBy(line: Line, owner: Owner, file: File): boolean {
  if (line.state.is !== 'failed' || !isOwnedBy(line, owner)) return false
  return ['file-changed', 'file-gone'].includes(line.state.failure.kind) && line.name === file.name
}

/**
 * Puts recordings into the tray, or gives them back to the lines that lost them by a reload.
 * @returns how many lines were added and how many were continued
 */
export function takeInFiles(owner: Owner, taken: readonly TakenFile[]): { added: number; continued: number } {
  const added: Line[] = []
  const continued: string[] = []
  for (const { file, handle, recordedMs = null } of taken) {
    const source: FileSource = { kind: 'file', file, handle, lastModified: file.lastModified, recordedMs }
    const waiting = lineThatWaitsFor(owner, file)
    if (waiting !== null) {
      lines.change([waiting.id], { source })
      continued.push(waiting.id)
    } else added.push(draft(owner, file.name, file.size, source))
  }
  const replaced = lines.all().filter((line) => taken.some(({ file }) => isReplacedBy(line, owner, file)))
  lines.remove(replaced.map(({ id }) => id))
  lines.add(added)
  inspectLines(added)
  inspectLines(lines.all().filter(({ id, inspection }) => inspection === null && continued.includes(id)))
  queue.pump()
  return { added: added.length, continued: continued.length }
}

/** Puts public links into the tray; a link that is there already is not added twice. */
export function takeInLinks(owner: Owner, links: readonly string[]): number {
  const known = new Set(lines.all().flatMap(({ source }) => (source.kind === 'link' ? [source.url] : [])))
  const fresh = links.filter((link) => !known.has(link))
  lines.add(fresh.map((url) => draft(owner, linkName(url), 0, { kind: 'link', url })))
  return fresh.length
}
