import { isOfBatch } from '../batch.ts'
import { inspector, queue, twinComparer, uploadList } from '../uploads.ts'
import { isOfFile, matchBatch } from './batch-match.ts'
import { linkName } from './links.ts'
import {
  type FileSource,
  isOwnedBy,
  isRetryable,
  isToRead,
  type LostUpload,
  lacksFile,
  type Owner,
  pathOf,
  type Upload,
} from './upload.ts'

/** A file as dropped, chosen, pasted or recorded. */
export type IncomingFile = { file: File; recordedMs?: number } & Pick<FileSource, 'handle' | 'path'>

const collator = new Intl.Collator(undefined, { numeric: true })
const withoutExtension = (name: string) => name.replace(/\.[^./]*$/, '')

/** Natural sort order of file names: Interview, Interview (1), Interview 2, Interview 10. */
export function compareNames(a: string, b: string): number {
  return collator.compare(withoutExtension(a), withoutExtension(b))
}

const incomingPath = ({ file, path }: IncomingFile) => file.webkitRelativePath || (path?.join('/') ?? file.name)

/** The dropped or chosen folder. */
function incomingFolder(file: File): string | undefined {
  const path = pathOf(file)
  return path.length > 1 ? path[0] : undefined
}

function draft(owner: Owner, name: string, bytes: number, source: Upload['source']): Upload {
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

/**
 * True if an upload that lost its file in a reload had this very one, by name, size and time. What was agreed to goes on
 * only where its order is shown: elsewhere its price and its options are not in sight.
 */
function isWaitingFor(lost: Upload, batch: string | null, file: File): boolean {
  const { agreement } = lost
  return (agreement === null || agreement.batch === batch) && isOfFile(lost, file)
}

/**
 * True if a draft that lost its file in a reload had one of this name and size. Its time does not count: phones give a
 * recording another one each time it is chosen.
 */
function isDraftOf({ state, name, bytes }: Upload, file: File): boolean {
  return state.is === 'draft' && name === file.name && bytes === file.size
}

/** True for a failed upload whose file changed or disappeared: the new version replaces it, at its own price. */
function isReplacedBy(upload: Upload, owner: Owner, file: File): boolean {
  if (upload.state.is !== 'failed' || !isOwnedBy(upload, owner)) return false
  return ['file-changed', 'file-gone'].includes(upload.state.failure.kind) && upload.name === file.name
}

/**
 * How many files became uploads of the tray, were opened again for one of it, continue an upload, or were left alone as
 * their batch has sent them.
 * `rest`: others of a folder that the batch came from, which it left out or which are new.
 */
export type AddedFiles = {
  added: number
  reopened: number
  continued: number
  sent: number
  rest: readonly IncomingFile[]
}

/**
 * Adds recordings to the tray, or returns them to the uploads that lost them in a reload.
 * @param batch what they continue; files that it has already are left alone
 */
export function addFilesToTray(
  owner: Owner,
  incoming: readonly IncomingFile[],
  batch: string | null = null,
): AddedFiles {
  const added: Upload[] = []
  const continued: string[] = []
  const found = { sent: 0, sending: 0 }
  const findInBatch = batch === null ? () => null : matchBatch(owner, batch)
  const replaced = uploadList.all().filter((upload) => incoming.some(({ file }) => isReplacedBy(upload, owner, file)))
  const folders = new Set(batch === null ? [] : uploadList.all().flatMap((one) => folderInBatch(one, batch)))
  const rest: IncomingFile[] = []
  const lost = uploadList.all().filter((upload) => lacksFile(upload) && isOwnedBy(upload, owner))
  const sorted = incoming.toSorted((a, b) => compareNames(incomingPath(a), incomingPath(b)))
  for (const one of sorted) {
    const { file, handle, path, recordedMs = null } = one
    const folder = incomingFolder(file)
    const place = { handle, ...(path && { path }), ...(folder && { folder }) }
    const source: FileSource = { kind: 'file', file, ...place, lastModified: file.lastModified, recordedMs }
    const exact = lost.find((upload) => isWaitingFor(upload, batch, file))
    const waiting = exact ?? lost.find((upload) => isDraftOf(upload, file))
    if (waiting?.source.kind === 'file') {
      lost.splice(lost.indexOf(waiting), 1)
      // Chosen without its folder, it keeps its place there: projects are made of folders.
      const again = { ...waiting.source, ...source, handle: handle ?? waiting.source.handle }
      uploadList.change([waiting.id], { source: again, ...(exact === undefined && { inspection: null }) })
      continued.push(waiting.id)
      continue
    }
    const isNewer = replaced.some((upload) => isReplacedBy(upload, owner, file))
    const known = isNewer ? null : findInBatch(file)
    if (known !== null) found[known] += 1
    else if (folder !== undefined && folders.has(folder)) rest.push(one)
    else added.push(draft(owner, file.name, file.size, source))
  }
  uploadList.remove(replaced.map(({ id }) => id))
  uploadList.add(added)
  inspector.inspect(added)
  inspector.inspect(uploadList.all().filter((upload) => continued.includes(upload.id) && isToRead(upload)))
  // What was compared before a reload is no longer known.
  if (continued.length > 0) twinComparer.compare()
  queue.pump()
  const reopened = continued.filter((id) => uploadList.get(id)?.agreement == null).length
  const goingOn = continued.length - reopened + found.sending
  return { added: added.length, reopened, continued: goingOn, sent: found.sent, rest }
}

/** A draft with the file that an upload lost. */
export type Continued = { readonly lost: LostUpload; readonly draft: Upload }

/** Gives the files of drafts to the uploads that lost them, which go on as they were agreed to. */
export function continueUploads(pairs: readonly Continued[]): void {
  uploadList.remove(pairs.map(({ draft }) => draft.id))
  for (const { lost, draft } of pairs) uploadList.change([lost.id], { source: draft.source })
  const failed = pairs.flatMap(({ lost }) => (isRetryable(lost) ? [lost.id] : []))
  if (failed.length > 0) queue.retry(failed)
  queue.pump()
}

/** The folder that an upload of the batch came from. */
function folderInBatch(upload: Upload, batch: string): string[] {
  const { source } = upload
  return isOfBatch(upload, batch) && source.kind === 'file' && source.folder !== undefined ? [source.folder] : []
}

/**
 * Adds public links to the tray, skipping duplicates.
 * @returns how many uploads were added
 */
export function addLinksToTray(owner: Owner, links: readonly string[]): number {
  const known = new Set(uploadList.all().flatMap(({ source }) => (source.kind === 'link' ? [source.url] : [])))
  const added = links.filter((link) => !known.has(link))
  uploadList.add(added.map((url) => draft(owner, linkName(url), 0, { kind: 'link', url })))
  return added.length
}
