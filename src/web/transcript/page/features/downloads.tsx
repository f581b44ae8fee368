import { captionsPath } from '../../../../contract/common/preloaded-pages.ts'
import {
  isTranscriptFormat,
  type MenuFormat,
  menuKinds,
  unfinishedFormat,
} from '../../../../contract/interface/transcript-formats.ts'
import { Signal, useSignal } from '../../../base/state/signal.ts'
import { Later, later, laterPart } from '../../../base/ui/later.tsx'
import { formatNote } from '../../../signed-in/library/caption-rules.ts'
import { rememberFormat, useLastFormat } from '../../../signed-in/preferences/last-format.ts'
import type { Downloads } from '../../downloads/download-menu.tsx'
import type { ExportedText } from '../../downloads/export-dialog.tsx'
import { startDownload } from '../../downloads/start-download.ts'
import { type Feature, type OpenPage, oncePerPage, useCover } from '../feature.ts'
import { useIsCorrected } from './corrections.tsx'

const ExportDialog = laterPart(async () => (await import('../../downloads/export-dialog.tsx')).ExportDialog)

const saving = later(() => import('../../downloads/save-text.ts'))

/** The export dialog. Its fields reset each time it opens, but it stays mounted while it fades out. */
const exporting = oncePerPage(() => new Signal({ first: 'corrected' as ExportedText, open: false, times: 0 }))

/** The text as files. Their menu is in the header. */
export const downloads: Feature = { name: 'downloads', Overlay }

/** The download options of the page's transcript. */
export function useDownloads(page: OpenPage): Downloads {
  const { desk, session, record, ready } = page
  const isCorrected = useIsCorrected(page)
  const isWaiting = useSignal(page.corrections.state).saved === 'waiting'
  const lastFormat = useLastFormat()
  // Beside the captions, one of their formats.
  const covering = useCover()
  const format = covering === captionsPath && menuKinds[lastFormat] !== 'captions' ? 'srt' : lastFormat
  const isFirstCorrected = isWaiting ? record.corrections > 0 : isCorrected
  return {
    first: {
      format: ready ? format : unfinishedFormat,
      text: !ready ? 'so far' : isFirstCorrected ? 'corrected' : 'original',
      // The page makes what the service does not, of a text whose corrections it must know.
      isEnabled: !(ready && isWaiting) || isTranscriptFormat(format),
    },
    inProgress: !ready,
    isCorrected,
    noteOf: (format) => formatNote(format, record),
    onDownload: (format: MenuFormat) => {
      if (ready) rememberFormat(format)
      if (!isCorrected && isTranscriptFormat(format)) return startDownload(session, record, format)
      const text = desk.text.state.get()
      void saving.load().then(({ saveText }) => saveText({ text, record, format, isCorrected }))
    },
    onExport: (first) => {
      const dialog = exporting(page)
      dialog.set({ first, open: true, times: dialog.get().times + 1 })
    },
  }
}

function Overlay(page: OpenPage) {
  const dialog = exporting(page)
  const shown = useSignal(dialog)
  return (
    <Later wanted={shown.open}>
      <ExportDialog key={shown.times} {...page} {...shown} onClose={() => dialog.set({ ...shown, open: false })} />
    </Later>
  )
}
