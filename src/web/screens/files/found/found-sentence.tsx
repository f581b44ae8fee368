import type { Environment } from '../../../../contract/interface/environment.ts'
import { cutClass } from '../../../base/ui/cut-text.ts'
import { clockText } from '../../../base/ui/duration.ts'
import { hashOfWords } from '../../../signed-in/transcript-place.ts'
import type { RowSentence } from './use-found.ts'

/** The link from a match: the file's transcript, playing from there. */
export function foundPath(environment: Environment, id: string, { words }: RowSentence): string {
  return `/${environment}/files/${encodeURIComponent(id)}${hashOfWords(...words)}&play`
}

type Props = { environment: Environment; id: string; sentence: RowSentence; active: boolean }

/** At the bottom of a file's row: speaker, time, and the sentence with the matched words. */
export function FoundInFile({ environment, id, sentence, active }: Props) {
  const { speaker, start_ms, text, marks } = sentence
  const ends = [0, ...marks.map(([, to]) => to)]
  return (
    <a
      href={foundPath(environment, id, sentence)}
      tabIndex={active ? 0 : -1}
      className="absolute inset-x-3 bottom-1.5 flex gap-2 text-sm hover:underline sm:left-17"
    >
      <span className="shrink-0 text-ink-3">
        {[speaker, clockText(start_ms / 1_000)].filter((part) => part !== null).join(' · ')}
      </span>
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
