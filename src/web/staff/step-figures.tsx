import type { OddMark, StepBefore } from '../../contract/work/parts.ts'
import { formatCount } from '../base/ui/sizes.ts'

type Figures = Pick<StepBefore, 'heard' | 'words' | 'changed_words' | 'doubts' | 'blanks' | 'explanation' | 'odd'>

/** `12 of 300 words changed`; if more were taken out than are left: `4 words left, 286 changed`. */
function listWords({ words, changed_words: changed }: Figures): [text: string, ...marks: OddMark[]][] {
  if (words === null || changed === null) return []
  const counted = formatCount(words, 'word')
  if (words > 0 && changed <= words) return [[`${changed} of ${counted} changed`, 'unchanged', 'short']]
  return [
    [words === 0 ? 'no words' : `${counted} left`, 'short'],
    [`${changed} changed`, 'unchanged'],
  ]
}

/** `heard 40 %`, `12 of 300 words changed`, …, each with the marks that make it odd. */
function listFigures(figures: Figures): [text: string, ...marks: OddMark[]][] {
  const { heard, doubts, blanks } = figures
  return [
    ...(heard === null ? [] : [[`heard ${Math.floor(heard * 100)} %`, 'unheard'] as [string, OddMark]]),
    ...listWords(figures),
    ...(doubts ? [[`${formatCount(doubts, 'doubt')} left`] as [string]] : []),
    ...(blanks ? [[formatCount(blanks, 'blank')] as [string]] : []),
  ]
}

/** What a step came to, in words; odd figures are amber. */
export function StepFigures({ figures }: { figures: Figures }) {
  return (
    <>
      {listFigures(figures).map(([text, ...marks], index) => (
        <span key={text}>
          {index > 0 && ', '}
          <span className={marks.some((mark) => figures.odd.includes(mark)) ? 'font-medium text-warn' : ''}>
            {text}
          </span>
        </span>
      ))}
      {figures.explanation !== null && <>: “{figures.explanation}”</>}
    </>
  )
}
