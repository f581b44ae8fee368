import type { OddMark, StepBefore } from '../../contract/work/parts.ts'
import { formatCount } from '../base/ui/sizes.ts'

type Figures = Pick<StepBefore, 'heard' | 'words' | 'changed_words' | 'doubts' | 'blanks' | 'explanation' | 'odd'>

/** `heard 40 %`, `12 of 300 words changed`, …, each with the mark that makes it odd. */
function listFigures({ heard, words, changed_words, doubts, blanks }: Figures): [text: string, mark?: OddMark][] {
  return [
    ...(heard === null ? [] : [[`heard ${Math.floor(heard * 100)} %`, 'unheard'] as [string, OddMark]]),
    ...(words === null || changed_words === null
      ? []
      : [[`${changed_words} of ${formatCount(words, 'word')} changed`, 'unchanged'] as [string, OddMark]]),
    ...(doubts ? [[`${formatCount(doubts, 'doubt')} left`] as [string]] : []),
    ...(blanks ? [[formatCount(blanks, 'blank')] as [string]] : []),
  ]
}

/** What a step came to, in words; odd figures are amber. */
export function StepFigures({ figures }: { figures: Figures }) {
  return (
    <>
      {listFigures(figures).map(([text, mark], index) => (
        <span key={text}>
          {index > 0 && ', '}
          <span className={mark !== undefined && figures.odd.includes(mark) ? 'font-medium text-warn' : ''}>
            {text}
          </span>
        </span>
      ))}
      {figures.explanation !== null && <>: “{figures.explanation}”</>}
    </>
  )
}
