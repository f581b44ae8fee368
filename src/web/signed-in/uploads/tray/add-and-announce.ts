import { announce } from '../../../base/ui/announcer.tsx'
import { formatCount } from '../../../base/ui/sizes.ts'
import { showToast } from '../../../base/ui/toast.tsx'
import { uploadList } from '../uploads.ts'
import { addFilesToTray, addLinksToTray, type IncomingFile } from './add-to-tray.ts'
import { directLink } from './links.ts'
import type { Owner, Upload } from './upload.ts'

/** Files that operating systems add to folders, besides dotfiles. */
const systemFiles = new Set(['thumbs.db', 'ehthumbs.db', 'desktop.ini', 'icon\r'])

/** Long enough to read while a tray fills. */
const hiddenToastMs = 20_000

const isHidden = ({ file }: IncomingFile): boolean =>
  file.name.startsWith('.') || systemFiles.has(file.name.toLowerCase())

/**
 * Adds recordings to the tray and announces the result, including what was skipped: hidden and system files in folders,
 * which nobody means to order.
 * @returns how many uploads were added
 */
export function addAndAnnounce(owner: Owner, incoming: readonly IncomingFile[]): number {
  const wanted = incoming.filter((one) => !isHidden(one))
  const hiddenCount = incoming.length - wanted.length
  const { added, continued } = addFilesToTray(owner, wanted)
  if (continued > 0) announce(`${formatCount(continued, 'upload')} continued`)
  if (added > 0) announce(`${formatCount(added, 'file')} added to the new order`)
  if (hiddenCount > 0) {
    const one = hiddenCount === 1
    showToast({
      title: `${formatCount(hiddenCount, 'hidden file')} skipped`,
      stayMs: hiddenToastMs,
      detail: `${one ? 'It belongs' : 'They belong'} to the system and ${one ? 'is' : 'are'} no recording${one ? '' : 's'}.`,
    })
  } else if (incoming.length === 0) showToast({ title: 'No files found', detail: 'The folder is empty.' })
  return added
}

/**
 * Adds links to the tray and says so: at its end, which may be out of view. The page of a sharing service becomes the
 * address of its recording, which can be taken back.
 * @returns how many were added
 */
export function addLinksAndAnnounce(owner: Owner, links: readonly string[]): number {
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
