import { announce } from '../../../base/ui/announcer.tsx'
import { formatCount } from '../../../base/ui/sizes.ts'
import { showToast } from '../../../base/ui/toast.tsx'
import { addFilesToTray, type IncomingFile } from './add-to-tray.ts'
import type { Owner } from './upload.ts'

/** Files that operating systems add to folders, besides dotfiles. */
const systemFiles = new Set(['thumbs.db', 'ehthumbs.db', 'desktop.ini', 'icon\r'])

/** `2 links added at the end of the order`: the end of a long tray is out of view. */
export function linksAddedText(count: number): string {
  return count === 0
    ? 'These links are already in the order'
    : `${formatCount(count, 'link')} added at the end of the order`
}

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
