import { type ReworkReason, reworkReasons } from '../../contract/work/parts.ts'
import { LabelledCheckbox } from '../base/ui/checkbox.tsx'
import { TextArea } from '../base/ui/field.tsx'

export type Rework = { reasons: ReworkReason[]; note: string }
export const noRework: Rework = { reasons: [], note: '' }

type Props = { rework: Rework; onChange: (rework: Rework) => void }

/** The reason for retyping a part, and a note to the next typist. */
export function ReworkFields({ rework: { reasons, note }, onChange }: Props) {
  return (
    <>
      <div className="grid gap-1">
        {(Object.entries(reworkReasons) as [ReworkReason, string][]).map(([reason, words]) => (
          <LabelledCheckbox
            key={reason}
            label={words}
            checked={reasons.includes(reason)}
            onChange={({ target }) => {
              const others = reasons.filter((one) => one !== reason)
              onChange({ note, reasons: target.checked ? [...others, reason] : others })
            }}
          />
        ))}
      </div>
      <TextArea
        label="Note"
        value={note}
        maxLength={2_000}
        onChange={(event) => onChange({ reasons, note: event.currentTarget.value })}
      />
    </>
  )
}
