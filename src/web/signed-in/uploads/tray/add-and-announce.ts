import { announce } from '../../../base/ui/announcer.tsx'
import { formatCount } from '../../../base/ui/sizes.ts'
import { showToast } from '../../../base/ui/toast.tsx'
import { isOfBatch } from '../batch.ts'
import { startUploads, uploadList } from '../uploads.ts'
import { type AddedFiles, addFilesToTray, addLinksToTray, type IncomingFile } from './add-to-tray.ts'
import { directLink } from './links.ts'
import { needsFile, type Owner, type Upload } from './upload.ts'

/** Files that operating systems add to folders, besides dotfiles. */
const systemFiles = new Set(['thumbs.db', 'ehthumbs.db', 'desktop.ini', 'icon\r'])

/** The page of a batch, and how to get to the new order from it. */
type BatchPage = { batch: string; openOrder: () => void }

/** Long enough to read while a tray fills. */
const hiddenToastMs = 20_000

const isHidden = ({ file }: IncomingFile): boolean =>
  file.name.startsWith('.') || systemFiles.has(file.name.toLowerCase())

/**
 * Adds recordings to the tray and announces the result, including what was skipped: hidden and system files in folders,
 * which nobody means to order.
 * @param from the page they were chosen on, if it is a batch's: files that it waits for continue their uploads, those
 * that it has sent are left alone, and only others become a new order
 * @returns whether they should be shown in the new order
 */
export async function addAndAnnounce(
  owner: Owner,
  incoming: readonly IncomingFile[],
  from: BatchPage | null,
): Promise<boolean> {
  await startUploads()
  const wanted = incoming.filter((one) => !isHidden(one))
  const hiddenCount = incoming.length - wanted.length
  const isWaiting = (upload: Upload) => isOfBatch(upload, from?.batch ?? '') && needsFile(upload)
  const page = from !== null && uploadList.all().some(isWaiting) ? from : null
  const outcome = addFilesToTray(owner, wanted, page?.batch ?? null)
  const { added, reopened, continued, sent, rest } = outcome
  if (page !== null && sent + added + rest.length > 0) showOutcome(owner, outcome, page)
  else {
    if (reopened > 0) announce(`${formatCount(reopened, 'file')} of the new order opened again`)
    if (continued > 0) announce(`${formatCount(continued, 'upload')} continued`)
    if (added > 0) announce(`${formatCount(added, 'file')} added to the new order`)
  }
  if (hiddenCount > 0) {
    const one = hiddenCount === 1
    showToast({
      title: `${formatCount(hiddenCount, 'hidden file')} skipped`,
      stayMs: hiddenToastMs,
      detail: `${one ? 'It belongs' : 'They belong'} to the system and ${one ? 'is' : 'are'} no recording${one ? '' : 's'}.`,
    })
  } else if (incoming.length === 0) showToast({ title: 'No files found', detail: 'The folder is empty.' })
  return page === null && added > 0
}

/** Says what became of files that were chosen to continue a batch. */
function showOutcome(owner: Owner, { added, continued, sent, rest }: AddedFiles, { openOrder }: BatchPage): void {
  const [title = '', ...details] = [
    continued > 0 && `${formatCount(continued, 'upload')} continued`,
    sent > 0 && `${formatCount(sent, 'file was', 'files were')} already sent`,
    added > 0 && `${formatCount(added, 'other file')} added to a new order`,
    rest.length > 0 && `${formatCount(rest.length, 'other file')} in the folder left out`,
  ].filter((sentence) => sentence !== false)
  const orderRest = () => {
    addFilesToTray(owner, rest)
    openOrder()
  }
  showToast({
    title,
    ...(details.length > 0 && { detail: `${details.join('. ')}.` }),
    ...(rest.length > 0 && { action: { label: 'Order these, too', onPress: orderRest } }),
    ...(added > 0 && { action: { label: 'New order', onPress: openOrder } }),
    stayMs: hiddenToastMs,
  })
}

/**
 * Adds links to the tray and says so: at its end, which may be out of view. The page of a sharing service becomes the
 * address of its recording, which can be taken back.
 * @returns how many were added
 */
export async function addLinksAndAnnounce(owner: Owner, links: readonly string[]): Promise<number> {
  await startUploads()
  const direct = links.map((link) => directLink(link) ?? link)
  const added = addLinksToTray(owner, direct)
  const title =
    added === 0 ? 'These links are already in the order' : `${formatCount(added, 'link')} added at the end of the order`
  const changed = new Set(direct.filter((link) => !links.includes(link)))
  if (changed.size === 0) showToast({ title })
  else {
    const detail = 'A link opens a web page: the address of its recording is used instead.'
    const onPress = () => {
      const isChanged = ({ source }: Upload) => source.kind === 'link' && changed.has(source.url)
      uploadList.remove(uploadList.all().flatMap((upload) => (isChanged(upload) ? [upload.id] : [])))
      addLinksToTray(owner, links)
    }
    showToast({ title, detail, action: { label: 'Use as pasted', onPress }, stayMs: hiddenToastMs })
  }
  return added
}
