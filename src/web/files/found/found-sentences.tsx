import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useId } from 'react'
import { Link } from 'react-router'
import type { FoundSentence, SearchPage } from '../../../contract/account-search.ts'
import { searchPages } from '../../api/search.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { clockText } from '../../ui/duration.ts'
import { hashOfWords } from '../../word-search/transcript-place.ts'
import { filePagePath } from '../rows/file-row.tsx'

/** What the service finds in transcripts, the newest first; a press plays it. Nothing where it finds nothing. */
export function FoundSentences({ search }: { search: string }) {
  const headingId = useId()
  const query = useInfiniteQuery(searchPages(useSession(), useDeferredValue(search), search !== ''))
  const pages = search === '' ? [] : (query.data?.pages ?? [])
  const files = pages.flatMap((page) => page.files).filter(({ sentences }) => sentences.length > 0)
  const percent = pages.at(-1)?.read_percent ?? 100
  if (files.length === 0 && percent === 100 && !query.hasNextPage) return null
  return (
    <section aria-labelledby={headingId} className="rounded-lg border border-line bg-surface">
      <h2 id={headingId} className="px-4 py-2 text-sm text-ink-2">
        In transcripts{percent < 100 && ` · still reading, ${percent}%`}
      </h2>
      <ul className="max-h-[50dvh] overflow-y-auto">
        {files.map((file) => (
          <FoundFile key={file.id} file={file} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button variant="quiet" size="sm" onClick={() => void query.fetchNextPage()}>
          Search on
        </Button>
      )}
    </section>
  )
}

function FoundFile({ file: { id, name, sentences } }: { file: SearchPage['files'][number] }) {
  const { environment } = useSession()
  return sentences.map((sentence) => (
    <li key={sentence.words[0]} className="border-t border-line">
      <Link
        to={`${filePagePath(environment, id)}${hashOfWords(...sentence.words)}&play`}
        className="grid gap-0.5 px-4 py-2 hover:bg-sunken"
      >
        <bdi className="font-serif">
          <Marked {...sentence} />
        </bdi>
        <span className="truncate text-sm text-ink-3">
          {[name, sentence.speaker, clockText(sentence.start_ms / 1_000)].filter((part) => part !== null).join(' · ')}
        </span>
      </Link>
    </li>
  ))
}

function Marked({ text, marks }: Pick<FoundSentence, 'text' | 'marks'>) {
  const ends = [0, ...marks.map(([, to]) => to)]
  return (
    <>
      {marks.map(([from, to], index) => (
        <span key={from}>
          {text.slice(ends[index], from)}
          <mark className="rounded-xs bg-accent-soft text-inherit">{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(ends.at(-1))}
    </>
  )
}
