import { Button } from '../../../base/ui/button.tsx'
import { Later, laterPart } from '../../../base/ui/later.tsx'
import { PanelSection } from '../../panel/panel-section.tsx'
import { cover, type Feature, type OpenPage, panelDialog } from '../feature.ts'

const CaptionsView = laterPart(async () => (await import('../../captions/captions-view.tsx')).CaptionsView)
const CaptionReportSection = laterPart(
  async () => (await import('../../panel/caption-report.tsx')).CaptionReportSection,
)

/** The text as captions, in an overlay. */
export const captions: Feature = { name: 'captions', Panel, Cover }

/** Rule violations of the ordered subtitle file. */
export const captionReport: Feature = { name: 'caption report', Panel: Report }

function Panel(page: OpenPage) {
  if (!page.ready) return null
  const begin = () => {
    panelDialog(page).set(false)
    page.correcting.finish()
    cover(page).set(captions.name)
  }
  return (
    <PanelSection title="Captions">
      <Button size="sm" className="justify-self-start" onClick={begin}>
        Check and time captions
      </Button>
    </PanelSection>
  )
}

function Cover(page: OpenPage) {
  return (
    <Later wanted>
      <CaptionsView {...page} onClose={() => cover(page).set(null)} />
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
