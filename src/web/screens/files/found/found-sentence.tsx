import type { Environment } from '../../../../contract/interface/environment.ts'
import { timeOfDay } from '../../../../text/clock-time.ts'
import { cutClass } from '../../../base/ui/cut-text.ts'
import { clockText } from '../../../base/ui/duration.ts'
import type { FileRow } from '../../../signed-in/library/library-rows.ts'
import { hashOfWords } from '../../../signed-in/transcript-place.ts'
import type { RowSentence } from './use-found.ts'

/** The link from a match: the file's transcript, playing from there. */
export function foundPath(environment: Environment, id: string, { words }: RowSentence): string {
  return `/${environment}/files/${encodeURIComponent(id)}${hashOfWords(...words)}&play`
}

type Props = { environment: Environment; row: FileRow; sentence: RowSentence; active: boolean }

/** At the bottom of a file's row: speaker, time, and the sentence with the matched words. */
export function FoundInFile({ environment, row, sentence, active }: Props) {
  const { speaker, start_ms, text, marks } = sentence
  const beginsAt = row.record?.labels?.begins_at_seconds
  const seconds = start_ms / 1_000
  const time = beginsAt === undefined ? clockText(seconds) : timeOfDay(beginsAt + seconds)
  const ends = [0, ...marks.map(([, to]) => to)]
  return (
    <a
      href={foundPath(environment, row.id, sentence)}
      tabIndex={active ? 0 : -1}
      className="absolute inset-x-3 bottom-1.5 flex gap-2 text-sm hover:underline sm:left-17"
    >
      <span className="shrink-0 text-ink-3">{[speaker, time].filter((part) => part !== null).join(' · ')}</span>
      <bdi className={`${cutClass} font-serif`}>
        {marks.map(([from, to], index) => (
          <span key={from}>
            {text.slice(ends[index], from)}
            <mark className="rounded-xs bg-accent-soft text-inherit">{text.slice(from, to)}</mark>
          </span>
        ))}
        {text.slice(ends.at(-1))}
      </bdi>
    </a>
  )
}
