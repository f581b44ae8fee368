import { Button } from '../../base/ui/button.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { PanelSection } from '../../transcript/panel/panel-section.tsx'
import type { PedalUse } from './use-pedals.ts'

/** Pedals that do not emulate keys: lists the connected ones and lets the user choose one. */
export function PedalSection({ isPossible, names, problem, choose }: PedalUse) {
  return (
    <PanelSection title="Foot pedal">
      <p className="text-sm text-ink-2">
        {names.length > 0
          ? `${names.join(', ')}: sound plays while the pedal is down, the sides go back and forward.`
          : `A pedal that sends F4, F7 and F8 works as it is. ${isPossible ? 'Others are connected here.' : 'Others need Chrome or Edge.'}`}
      </p>
      {problem !== null && <Notice tone="warn">{problem}</Notice>}
      {isPossible && (
        <Button className="justify-self-start" onClick={() => void choose()}>
          {names.length > 0 ? 'Connect another' : 'Connect a pedal'}
        </Button>
      )}
    </PanelSection>
  )
}
