import { useState } from 'react'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import { Field } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import { readTime, timeText } from './caption-text.ts'
import type { Captions } from './captions.ts'
import type { SetCaptionRules } from './set-rules.ts'
import {
  describeShift,
  type Ends,
  endsAfterRecording,
  findEnds,
  previewEnds,
  type Shifted,
  shiftCaptions,
} from './shift-captions.ts'

type Props = {
  captions: Captions
  rules: CaptionRules
  recordingSeconds: number
  onChange: SetCaptionRules
  onClose: () => void
}

/** Moves all captions, by seconds and by the time of the last one, with a preview. */
export function ShiftDialog({ captions, rules, recordingSeconds, onChange, onClose }: Props) {
  const [cues] = useState(() => captions.state.get().cues)
  const [ends] = useState(() => findEnds(cues[0]?.startMs ?? 0, cues.at(-1)?.startMs ?? 0, rules.timing))
  const { stretch, shiftSeconds } = rules.timing ?? { stretch: 1, shiftSeconds: 0 }
  const [by, setBy] = useState(() => String(Number((ends.first * (stretch - 1) + shiftSeconds).toFixed(3))))
  const [last, setLast] = useState<string | null>(null)
  const timing = readShift({ ends, by, last, stretch })
  const isWrong = typeof timing === 'string'
  const now = isWrong ? null : previewEnds(ends, timing)
  const isAfter =
    !isWrong && endsAfterRecording({ endMs: cues.at(-1)?.endMs ?? 0, from: rules.timing, to: timing, recordingSeconds })
  const submit = async () => {
    if (isWrong) return
    const isNone = timing.stretch === 1 && timing.shiftSeconds === 0
    const { timing: _, ...untimed } = rules
    if (!(await onChange(isNone ? untimed : { ...untimed, timing }))) return
    showToast({ title: `All captions: ${describeShift(timing)}`, detail: 'Undo takes that back.' })
  }
  return (
    <FormDialog
      title="Shift all captions"
      description="In every file of this transcript, and on its picture. Words keep the times of the recording."
      submit="Shift captions"
      isReady={!isWrong}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Later by (seconds)"
        inputMode="decimal"
        hint="Negative: earlier"
        value={by}
        onChange={({ target }) => setBy(target.value)}
      />
      <Field
        label="The last caption begins at"
        hint="For another frame rate: all between are stretched"
        disabled={ends.last <= ends.first}
        value={last ?? (now === null ? '' : timeText(now.last))}
        onChange={({ target }) => setLast(target.value)}
      />
      <Preview ends={ends} timing={timing} isAfter={isAfter} />
    </FormDialog>
  )
}

/** What becomes of the first and the last caption, or why that is not possible. */
function Preview({ ends, timing, isAfter }: { ends: Ends; timing: Shifted; isAfter: boolean }) {
  if (typeof timing === 'string') {
    return (
      <p role="alert" className="text-sm text-bad">
        {timing}
      </p>
    )
  }
  const now = previewEnds(ends, timing)
  return (
    <p role="status" className="text-sm text-ink-2 tabular-nums">
      First caption {timeText(ends.first * 1_000)} → {timeText(now.first)}
      <br />
      Last caption {timeText(ends.last * 1_000)} → {timeText(now.last)}
      <br />
      {describeShift(timing)}
      {isAfter && <span className="block text-warn">The last caption ends after the recording</span>}
    </p>
  )
}

type Typed = { ends: Ends; by: string; last: string | null; stretch: number }

function readShift({ ends, by, last, stretch }: Typed): Shifted {
  const seconds = Number(by.trim().replace(',', '.').replace('−', '-'))
  if (by.trim() === '' || !Number.isFinite(seconds)) return 'Enter seconds, such as 2.5 or -0.3.'
  const lastMs = last === null ? null : readTime(last)
  if (last !== null && lastMs === null) return `“${last.slice(0, 20)}” is not a time. Enter one such as 1:02.5.`
  return shiftCaptions(ends, seconds, lastMs, stretch)
}
