import { announce } from '../../ui/announcer.tsx'
import { countOf } from '../../ui/sizes.ts'
import { showToast } from '../../ui/toast.tsx'
import type { Owner } from './line.ts'
import { type TakenFile, takeInFiles } from './take-in.ts'

/** Files that systems put into folders for themselves, beside those whose name begins with a dot. */
const systemFiles = new Set(['thumbs.db', 'ehthumbs.db', 'desktop.ini', 'icon\r'])

/** Long enough to be read beside a tray that fills. */
const hiddenToldMs = 20_000

const isHidden = ({ file }: TakenFile): boolean => file.name.startsWith('.') || systemFiles.has(file.name.toLowerCase())

/**
 * Takes recordings into the tray and says what became of them, also of what was left out. Hidden and system files of
 * folders are: nobody means them.
 * @returns how many lines were added
 */
export function takeAndTell(owner: Owner, taken: readonly TakenFile[]): number {
  const wanted = taken.filter((one) => !isHidden(one))
  const hiddenCount = taken.length - wanted.length
  const { added, continued } = takeInFiles(owner, wanted)
  if (continued > 0) announce(`${countOf(continued, 'upload')} given back`)
  if (added > 0) announce(`${countOf(added, 'recording')} added to the new order`)
  if (hiddenCount > 0) {
    const one = hiddenCount === 1
    showToast({
      title: `${countOf(hiddenCount, 'hidden file')} left out`,
      stayMs: hiddenToldMs,
      detail: `${one ? 'It belongs' : 'They belong'} to the system and ${one ? 'is' : 'are'} no recording${one ? '' : 's'}.`,
    })
  } else if (taken.length === 0) showToast({ title: 'There is no file in it', detail: 'The folder is empty.' })
  return added
}
