import type { Recognition } from '../../../contract/account/account.ts'
import { Notice } from '../../base/ui/notice.tsx'
import { ProgressBar } from '../../base/ui/progress-bar.tsx'

/** Where recordings go to be heard: the first question of whoever may not let them out of the house. */
const whereHeard = {
  sherpa: 'Heard by this service itself, by sherpa-onnx: for that, nothing leaves it.',
  pocketsphinx: 'Heard by this service itself, by pocketsphinx: for that, nothing leaves it.',
  http: 'Heard by a server that the operator of this service chose.',
}

/** What the operator's last measurement says; without one, that there is none. */
function describeWorth(measured: Recognition['measured']): string {
  if (!measured) return 'How many words come out wrong was not measured here yet.'
  const wrong = Math.round(measured.wrong_percent)
  const share =
    wrong === 0
      ? 'Less than 1 word in 100 was'
      : wrong === 1
        ? 'About 1 word in 100 was'
        : `About ${wrong} words in 100 were`
  return `${share} wrong in the last measurement${measured.recordings === 'made' ? ', of a synthetic voice' : ''}.`
}

/** What automated transcripts are here, in a few words. */
export function describeEngine({ engine, language }: Recognition): string {
  if (engine === null) return 'No speech recognizer here yet.'
  return `In minutes.${language === 'en' ? ' English only.' : ''}`
}

/** The worth of automated transcripts here, as it was measured, and where recordings are heard. */
export function EngineNote({ engine, measured }: Recognition) {
  if (engine === null) return null
  return (
    <p className="col-span-2 text-xs text-ink-3">
      {describeWorth(measured)} {whereHeard[engine]}
    </p>
  )
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000)
}

/** Why automated transcripts start later; empty if they start immediately. */
export function RecognitionWords({ recognition }: { recognition: Recognition }) {
  const { engine, reason, model_download: download } = recognition
  if (download !== null) {
    const [here, all] = [megabytes(download.bytes), megabytes(download.total_bytes)]
    return (
      <Notice>
        <p className="text-sm">
          Downloading the speech model: {here} of {all} MB. Automated transcripts start once it is installed.
        </p>
        <ProgressBar className="mt-1.5" percent={(100 * here) / Math.max(1, all)} label="Speech model download" />
      </Notice>
    )
  }
  if (engine !== null) return null
  return (
    <Notice tone="warn">
      <p className="text-sm">
        This service has no speech recognizer yet, so automated transcripts stay at 0%. {reason}
      </p>
    </Notice>
  )
}
