import type { Recognition } from '../../contract/account-recognition.ts'
import { Notice } from '../ui/notice.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'

/** Measured on the shared clips (docs/recognition.md). */
const lowQuality =
  'Transcribed by the offline recognizer: English only, about one word in four wrong, in clear speech one in fifteen.'
const englishOnly = 'English only: other languages come out as wrong English words.'

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000)
}

/**
 * Which engine makes automated transcripts and how good it is, in a sentence or two; nothing where there is nothing to
 * say.
 */
export function RecognitionWords({ recognition }: { recognition: Recognition }) {
  const { engine, reason, language, quality, model_download: download } = recognition
  if (download !== null) {
    const [here, all] = [megabytes(download.bytes), megabytes(download.total_bytes)]
    return (
      <Notice>
        <p className="text-sm">
          The speech model is being downloaded: {here} of {all} MB. Automated transcripts begin once it is there.
        </p>
        <ProgressBar
          className="mt-1.5"
          percent={(100 * here) / Math.max(1, all)}
          label="Download of the speech model"
        />
      </Notice>
    )
  }
  if (engine === null) {
    return (
      <Notice tone="warn">
        <p className="text-sm">Nothing hears recordings here yet, so automated transcripts wait at 0%. {reason}</p>
      </Notice>
    )
  }
  if (quality !== 'low' && language !== 'en') return null
  return <p className="text-sm text-pretty text-ink-2">{quality === 'low' ? lowQuality : englishOnly}</p>
}
