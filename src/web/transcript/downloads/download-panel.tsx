import { type ReactNode, useDeferredValue } from 'react'
import { defaultCaptionRules, nameRules, withTimingOf } from '../../../formats/captions/caption-rules.ts'
import { type ExportFormat, exportFormats, formatTable } from '../../../formats/format-table.ts'
import { titleOfSeveral } from '../../../formats/template-header.ts'
import { timeOfDay } from '../../../text/clock-time.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { LabelledCheckbox } from '../../base/ui/checkbox.tsx'
import { Field } from '../../base/ui/field.tsx'
import { Segmented } from '../../base/ui/segmented.tsx'
import { Select } from '../../base/ui/select.tsx'
import { getCaptionRules } from '../../signed-in/library/caption-rules.ts'
import {
  aboutWith,
  contradictionIn,
  isOneDocument,
  isReadingText,
  orderedChoices,
  patternName,
} from './apply-choices.ts'
import { CaptionFields } from './caption-fields.tsx'
import type { Choices } from './choices.ts'
import { type About, describeFile, type Source } from './make-file.ts'
import { PresetMenu } from './preset-menu.tsx'
import { FilePreview } from './preview.tsx'
import type { DownloadChoices } from './use-download-choices.ts'

const formats = exportFormats.map((format) => ({
  value: format,
  label: `${format.toUpperCase()}, ${formatTable[format].note}`,
}))

const filings = [
  { value: 'each', label: 'One file each' },
  { value: 'one', label: 'One document' },
] as const

const selects = {
  names: [
    { value: 'full', label: 'full' },
    { value: 'initials', label: 'initials' },
    { value: 'none', label: 'none' },
  ],
  times: [
    { value: 'turn', label: 'each turn' },
    { value: 'every', label: 'every … seconds' },
    { value: 'none', label: 'none' },
  ],
  header: [
    { value: 'on', label: 'title, date, length' },
    { value: 'off', label: 'none' },
  ],
  spacing: [
    { value: 'single', label: 'single' },
    { value: 'double', label: 'double' },
  ],
} as const
const captionTimes = [
  { value: 'recording', label: 'Of the recording' },
  { value: 'clock', label: 'Time of day' },
] as const
const wordTimes = [
  { value: 'recording', label: 'Of the recording' },
  { value: 'clock', label: 'Also of the day' },
] as const
const labels = { names: 'Names', times: 'Times', header: 'Header', spacing: 'Spacing' } as const

/** A text to preview, and the data that names its file. */
export type Sample = {
  record: FileRecord
  source: Source
  textKey: string
  speakers: readonly string[]
  corrected: boolean
  /** the other selected files */
  more?: readonly FileRecord[]
}
type Props = {
  download: DownloadChoices
  sample: Sample | null
  /** fields above the format */
  children?: ReactNode
}

/** All choices for a download of one or several files, next to a preview of the first file. */
export function DownloadPanel({ download, sample, children }: Props) {
  const { format, choices, onFormat, onChoices } = download
  const shown = useDeferredValue(choices)
  const rules = sample === null ? defaultCaptionRules : getCaptionRules(sample.record)
  const captions = withTimingOf(rules, shown.captions)
  const count = 1 + (sample?.more?.length ?? 0)
  const ordered = sample !== null && count === 1 ? orderedChoices(sample.record.metadata.options) : null
  return (
    <div className="grid grid-cols-2 gap-5 phone:grid-cols-1">
      <div className="grid min-w-0 content-start gap-3">
        <PresetMenu download={download} />
        {children}
        <Select label="Format" value={format} options={formats} onChange={onFormat} className="w-full" />
        {isReadingText(format) && count > 1 && (
          <Segmented
            label="Files"
            value={choices.files}
            options={filings}
            onChange={(files) => onChoices({ ...choices, files })}
          />
        )}
        {isReadingText(format) && <TextFields {...{ choices, ordered }} onChange={onChoices} />}
        {formatTable[format].kind === 'captions' && (
          <CaptionFields
            rules={choices.captions}
            none={count > 1 ? 'The rules of each transcript' : `As in the captions view: ${nameRules(rules)}`}
            onChange={(captions) => onChoices({ ...choices, captions })}
          />
        )}
        <TimesOfDay {...{ format, choices, sample }} onChange={onChoices} />
        <NameField format={format} choices={choices} onChange={onChoices} sample={sample} />
      </div>
      {sample && contradictionIn(captions) === null && (
        <FilePreview
          textKey={sample.textKey}
          wanted={{ ...sample.source, about: aboutOfSample(sample, format, shown), format, captions }}
        />
      )}
    </div>
  )
}

/** The next file of a combined document is passed without its words: the preview shows that more pages follow. */
function aboutOfSample({ record, more = [] }: Sample, format: ExportFormat, choices: Choices): About {
  const about = aboutWith(describeFile(record), choices)
  if (formatTable[format].kind === 'text' || !isOneDocument(format, choices, 1 + more.length)) return about
  return { ...about, more: more.slice(0, 1).map((next) => ({ ...describeFile(next), speakers: [], turns: [] })) }
}

type FieldsProps = { choices: Choices; onChange: (choices: Choices) => void }
/** The choices of the only file's order; null if there are several. */
type Ordered = ReturnType<typeof orderedChoices> | null

/** A choice's options, the first of which says what was ordered. */
function listOptions(name: keyof typeof selects, ordered: Ordered) {
  const value = selects[name].find((one) => one.value === ordered?.[name])
  return [{ value: 'order', label: value ? `${value.label}, as ordered` : 'as ordered' }, ...selects[name]]
}

function TextFields({ choices, ordered, onChange }: FieldsProps & { ordered: Ordered }) {
  return (
    <>
      {(Object.keys(selects) as (keyof typeof selects)[]).map((name) => (
        <Select<string>
          key={name}
          label={labels[name]}
          prefix={`${labels[name]}: `}
          value={choices[name]}
          options={listOptions(name, ordered)}
          onChange={(value) => onChange({ ...choices, [name]: value })}
          className="w-full"
        />
      ))}
      {choices.times === 'every' && (
        <Field
          label="Seconds between times"
          type="number"
          min={1}
          max={3_600}
          defaultValue={choices.everySeconds}
          onChange={({ target }) => {
            const everySeconds = target.valueAsNumber
            if (Number.isInteger(everySeconds) && target.validity.valid) onChange({ ...choices, everySeconds })
          }}
        />
      )}
      <LabelledCheckbox
        label="Mark words in doubt"
        checked={choices.doubt}
        onChange={({ target }) => onChange({ ...choices, doubt: target.checked })}
      />
    </>
  )
}

type NameProps = FieldsProps & { format: ExportFormat; sample: Sample | null }

/** Which times a file has, if a recording began at a time of day. */
function TimesOfDay({ format, choices, onChange, sample }: NameProps) {
  const records = sample === null ? [] : [sample.record, ...(sample.more ?? [])]
  const begins = records.map(({ labels }) => labels?.begins_at_seconds).find((seconds) => seconds !== undefined)
  if (begins === undefined) return null
  const { kind, addsTimesOfDay } = formatTable[format]
  if (kind === 'captions' || addsTimesOfDay) {
    return (
      <>
        <Segmented
          label="Times"
          value={choices.captionTimes}
          options={addsTimesOfDay ? wordTimes : captionTimes}
          onChange={(captionTimes) => onChange({ ...choices, captionTimes })}
        />
        {choices.captionTimes === 'clock' && (
          <p className="text-sm text-ink-3">
            {addsTimesOfDay
              ? 'Each word has time_of_day, too; start and end stay seconds of the recording.'
              : 'For an edit with that time code: players show such captions too late.'}
          </p>
        )}
      </>
    )
  }
  return (
    <p className="text-sm text-ink-3">
      {isReadingText(format)
        ? `Times are of the day: the recording began at ${timeOfDay(begins)}.`
        : 'Times are seconds of the recording; the last column is the time of day.'}
    </p>
  )
}

function NameField({ format, choices, onChange, sample }: NameProps) {
  const { pattern } = choices
  const count = 1 + (sample?.more?.length ?? 0)
  const title = sample?.record.metadata.name ?? ''
  const words = '{name}, {date}, {speakers}, {id} and {corrected} are replaced.'
  const example =
    sample &&
    patternName(pattern, format, {
      id: sample.record.id,
      name: isOneDocument(format, choices, count) ? titleOfSeveral(title, count) : title,
      date: sample.record.metadata.created.slice(0, 10),
      speakers: sample.speakers,
      corrected: sample.corrected,
    })
  const remark = /[/\\]/.test(pattern)
    ? 'A name has no folders: / and \\ become _. '
    : /[\p{L}\p{N}]/u.test(pattern)
      ? ''
      : 'Nothing is left of this: the file’s own name is taken. '
  return (
    <Field
      label="File name"
      value={pattern}
      maxLength={200}
      dir="auto"
      hint={
        <>
          {remark}
          {words} {example !== null && <bdi className="block break-all text-ink-2">{example}</bdi>}
        </>
      }
      onChange={({ target }) => onChange({ ...choices, pattern: target.value })}
    />
  )
}
