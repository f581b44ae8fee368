import { clockText } from '../../base/ui/duration.ts'
import { countOf, countText } from '../../base/ui/sizes.ts'
import type { Comparison, Difference } from './compare-versions.ts'

/** Maximum number shown, to limit the DOM; nobody reads more. */
const mostShown = 200

/** The differences between a version and the current text, side by side. */
export function ComparisonList({ differences, renamed }: Comparison) {
  if (differences.length + renamed.length === 0) return <p className="text-ink-2">Both are the same.</p>
  const rest = differences.length - mostShown
  return (
    <div className="grid gap-3">
      {renamed.map(({ earlier, now }) => (
        <p key={earlier}>
          Speaker <del className="text-ink-3">{earlier}</del> is now <ins className="no-underline">{now}</ins>
        </p>
      ))}
      <p className="text-sm text-ink-3">{countOf(differences.length, 'place')} with other words or times</p>
      <ol className="grid max-h-[50dvh] gap-2 overflow-y-auto">
        {differences.slice(0, mostShown).map((difference, index) => (
          <Line key={index} {...difference} />
        ))}
      </ol>
      {rest > 0 && <p className="text-sm text-ink-3">And {countText(rest)} more.</p>}
    </div>
  )
}

function Line({ startSeconds, before, earlier, now, after, retimed }: Difference) {
  if (retimed !== undefined) {
    return (
      <li className="grid grid-cols-[4rem_1fr] gap-3 border-t border-line pt-2 phone:grid-cols-1 phone:gap-1">
        <time className="text-sm text-ink-3 tabular-nums">{clockText(startSeconds)}</time>
        <p dir="auto">
          <span className="text-ink-3">{before}</span> {now} <span className="text-ink-3">{after}</span>
          <span className="block text-sm">
            Caption retimed: <mark className="rounded-sm bg-bad-soft px-0.5">{retimed.earlier}</mark> →{' '}
            <mark className="rounded-sm bg-ok-soft px-0.5">{retimed.now}</mark>
          </span>
        </p>
      </li>
    )
  }
  return (
    <li className="grid grid-cols-[4rem_1fr_1fr] gap-3 border-t border-line pt-2 phone:grid-cols-1 phone:gap-1">
      <time className="text-sm text-ink-3 tabular-nums">{clockText(startSeconds)}</time>
      <p dir="auto">
        <span className="sr-only">In this version: </span>
        <span className="text-ink-3">{before}</span>{' '}
        <mark className="rounded-sm bg-bad-soft px-0.5">{earlier || '—'}</mark>{' '}
        <span className="text-ink-3">{after}</span>
      </p>
      <p dir="auto">
        <span className="sr-only">Now: </span>
        <span className="text-ink-3">{before}</span> <mark className="rounded-sm bg-ok-soft px-0.5">{now || '—'}</mark>{' '}
        <span className="text-ink-3">{after}</span>
      </p>
    </li>
  )
}
