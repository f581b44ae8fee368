import { useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { captionsPath } from '../../../../contract/common/preloaded-pages.ts'
import { buttonClass } from '../../../base/ui/button.tsx'
import { Later, laterPart } from '../../../base/ui/later.tsx'
import { retryLoading } from '../../../base/ui/load-failure.ts'
import { PanelSection } from '../../panel/panel-section.tsx'
import { type Feature, type OpenPage, panelDialog } from '../feature.ts'

const CaptionsView = laterPart(async () => (await import('../../captions/captions-view.tsx')).CaptionsView)
const CaptionReportSection = laterPart(
  async () => (await import('../../panel/caption-report.tsx')).CaptionReportSection,
)

/** the state of a place in the browser's history, of captions that were opened from the text */
const overText = 'over text'

/** The text as captions, in an overlay. */
export const captions: Feature = { name: captionsPath, Captions: Panel, Cover, Background }

/** Rule violations of the ordered subtitle file. */
export const captionReport: Feature = { name: 'caption report', Captions: Report }

function Panel(page: OpenPage) {
  if (!page.ready) return null
  const begin = () => {
    panelDialog(page).set(false)
    page.correcting.finish()
    // The bar of doubts is the text's: its keys mean other things here.
    page.doubts.leave()
  }
  return (
    <PanelSection title="Captions">
      <Link
        to={captionsPath}
        state={overText}
        onClick={begin}
        className={buttonClass('secondary', 'sm', 'justify-self-start')}
      >
        Check and time captions
      </Link>
    </PanelSection>
  )
}

/** Undo takes back changes of the rules, too, wherever it is pressed. */
function Background({ corrections, session, record: { id } }: OpenPage) {
  useEffect(() => {
    corrections.onRules = async (change) => {
      const load = () => import('../../captions/set-rules.ts')
      const { stepRules } = await load().catch(() => retryLoading(load))
      return await stepRules(session, id, change)
    }
  }, [corrections, session, id])
  return null
}

/** Closed as it was opened: over the text it takes the browser back to it, by a link it gives its place to it. */
function Cover(page: OpenPage) {
  const navigate = useNavigate()
  const isOverText = useLocation().state === overText
  const isClosed = useRef(false)
  const { desk } = page
  // Whose keys go on in the text, once nothing covers it. Before useFocusOfPage does it.
  useEffect(
    () => () => {
      if (document.activeElement === document.body) desk.view?.focusBlock(null)
    },
    [desk],
  )
  const close = () => {
    // A second Escape on the way back would leave the file, too.
    if (isClosed.current) return
    isClosed.current = true
    void (isOverText ? navigate(-1) : navigate('.', { replace: true }))
  }
  return (
    <Later wanted={page.ready}>
      <CaptionsView {...page} onClose={close} />
    </Later>
  )
}

function Report(page: OpenPage) {
  return (
    <Later wanted={page.ready && page.record.metadata.options.subtitle_file === 'on'}>
      <CaptionReportSection {...page} />
    </Later>
  )
}
