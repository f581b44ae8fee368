import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { recordedTimes } from '../../../contract/account/file-pages.ts'
import { timeOfDay } from '../../../text/clock-time.ts'
import { accountQuery } from '../../base/api/account-call.ts'
import type { Session } from '../../base/api/client.ts'
import { Button } from '../../base/ui/button.tsx'
import { Field } from '../../base/ui/field.tsx'
import { useDates } from '../preferences/preferred-dates.ts'
import { parseTimeOfDay, shownBeginning } from './time-of-day.ts'

type Props = {
  session: Session
  id: string
  /** seconds of the day; null: times count from 0 */
  value: number | null
  /** `undefined` while the text is no time */
  onChange: (value: number | null | undefined) => void
}

/** When a recording began, as a time of day, with the times that its file states to choose from. */
export function BeginField({ session, id, value, onChange }: Props) {
  const [text, setText] = useState(shownBeginning(value))
  const write = (to: string) => {
    setText(to)
    onChange(parseTimeOfDay(to))
  }
  const isWrong = parseTimeOfDay(text) === undefined
  return (
    <div className="grid gap-2">
      <Field
        label="The recording began at"
        value={text}
        placeholder="15:06"
        inputMode="numeric"
        autoComplete="off"
        error={isWrong ? 'A time of day, such as 15:06 or 15:06:30.' : undefined}
        hint="The text here and documents then have times of that clock. Empty: they count from 00:00. Captions, JSON and programs keep the times of the recording."
        onChange={({ target }) => write(target.value)}
      />
      <Proposals session={session} id={id} onChoose={(seconds) => write(shownBeginning(seconds))} />
    </div>
  )
}

const sources = { 'time code': 'Time code', recorder: 'Recorder’s clock', date: 'Date of the file' } as const

/** The times in the recording itself; nothing while they are read, or if it has none. */
function Proposals({ session, id, onChoose }: Pick<Props, 'session' | 'id'> & { onChoose: (seconds: number) => void }) {
  const path = `files/${encodeURIComponent(id)}/recorded-times`
  const { data } = useQuery(accountQuery(session, ['recorded-times', id], path, recordedTimes, { retry: false }))
  const dates = useDates()
  return data?.times.map(({ source, text, seconds }) => {
    const at = new Date(text)
    const local = at.getHours() * 3_600 + at.getMinutes() * 60 + at.getSeconds()
    const began = seconds ?? local
    const detail = source === 'time code' ? text : timeOfDay(began)
    return (
      <Button key={source} size="sm" variant="quiet" className="justify-self-start" onClick={() => onChoose(began)}>
        {sources[source]}: {detail}
        {source === 'date' && `, ${dates.date(at.getTime())}`}
      </Button>
    )
  })
}
