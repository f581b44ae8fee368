import type { DeskPart } from '../../../contract/work/parts.ts'
import { PanelSection } from '../../transcript/panel/panel-section.tsx'
import { stepWords } from '../part-words.ts'
import { StepFigures } from '../step-figures.tsx'

/** What was done to the part before, and by whom: a number, no name. */
export function StepsBefore({ part: { before, part } }: { part: DeskPart }) {
  if (before.length === 0) return null
  return (
    <PanelSection title="Done before">
      <ul className="grid gap-1 text-sm text-ink-2">
        {before.map((step, index) => (
          <li key={index}>
            {stepWords[step.step]} by person {step.person}
            {part.position === 0 && step.position > 0 && `, part ${step.position}`}
            {step.was_sent_back && ', sent back'}: <StepFigures figures={step} />
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}
