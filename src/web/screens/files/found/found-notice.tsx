import { Button } from '../../../base/ui/button.tsx'
import { formatCount } from '../../../base/ui/sizes.ts'
import type { Found } from './use-found.ts'

/** Limits of the full-text search; nothing if it covered everything. */
export function FoundNotice({ found }: { found: Found }) {
  const { more, isFailed } = found
  const text = describeFound(found)
  if (text === null) return null
  return (
    <p role="status" className="flex flex-wrap items-center gap-2 text-sm text-ink-2">
      {text}
      {more && (
        <Button variant="quiet" size="sm" onClick={more}>
          {isFailed ? 'Try again' : 'Search on'}
        </Button>
      )}
    </p>
  )
}

function describeFound({ files, percent, isFailed, more }: Found): string | null {
  if (isFailed) return 'The words of transcripts could not be searched just now.'
  if (percent === null) return 'This service does not search the words of transcripts, only names of files.'
  const reading = percent < 100 ? ` ${percent}% of the transcripts are read so far.` : ''
  if (more) return `Found in ${formatCount(files.size, 'file')}, the newest first; there may be more.${reading}`
  return reading === '' ? null : `Still reading transcripts:${reading}`
}
