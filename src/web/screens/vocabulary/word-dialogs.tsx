import { useState } from 'react'
import type { NewVocabularyEntry, VocabularyEntry } from '../../../contract/account/vocabulary.ts'
import type { Session } from '../../base/api/client.ts'
import { readPresets } from '../../base/api/presets.ts'
import { useSettings } from '../../base/api/settings.ts'
import { addWords, changeWord } from '../../base/api/vocabulary.ts'
import { Field, TextArea } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { Select } from '../../base/ui/select.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'

type ChoiceProps = { session: Session; preset: string; onChange: (preset: string) => void }

/** Which orders: all (''), or those with a preset. */
function PresetChoice({ session, preset, onChange }: ChoiceProps) {
  const names = readPresets(useSettings(session)).map(({ name }) => name)
  if (preset !== '' && !names.includes(preset)) names.push(preset)
  if (names.length === 0) return null
  return (
    <div className="grid justify-items-start gap-1.5">
      <span className="font-medium">Used for</span>
      <Select
        label="Used for"
        value={preset}
        options={[{ value: '', label: 'All orders' }, ...names.map((name) => ({ value: name, label: name }))]}
        onChange={onChange}
        className="w-full"
      />
    </div>
  )
}

type Props = { session: Session; entry: VocabularyEntry | null; onClose: () => void }

/** A word to add (null) or change. */
export function WordDialog({ session, entry, onClose }: Props) {
  const [written, setWritten] = useState(entry?.written ?? '')
  const [heard, setHeard] = useState(entry?.heard.join(', ') ?? '')
  const [preset, setPreset] = useState(entry?.preset ?? '')
  const save = () => {
    const word = { written, heard: readForms(heard), preset: preset || null }
    return entry === null ? addWords(session, [word]) : changeWord(session, entry.id, word)
  }
  return (
    <FormDialog
      title={entry === null ? 'Add a word' : `Edit ${entry.written}`}
      submit={entry === null ? 'Add word' : 'Save'}
      isReady={written.trim() !== ''}
      onSubmit={save}
      onClose={onClose}
    >
      <Field
        label="Word or name"
        hint="As it is written right."
        value={written}
        maxLength={80}
        onChange={(event) => setWritten(event.target.value)}
      />
      <Field
        label="Heard as"
        hint="What automated transcripts have instead, with commas between. Without any, the word is only a hint for recognizers and typists."
        value={heard}
        onChange={(event) => setHeard(event.target.value)}
      />
      <PresetChoice session={session} preset={preset} onChange={setPreset} />
    </FormDialog>
  )
}

/** Adds many words at once. */
export function PasteDialog({ session, onClose }: Pick<Props, 'session' | 'onClose'>) {
  const [text, setText] = useState('')
  const [preset, setPreset] = useState('')
  const entries = readLines(text, preset || null)
  const add = async () => {
    await addWords(session, entries)
    showToast({ tone: 'ok', title: `${formatCount(entries.length, 'word')} added` })
  }
  return (
    <FormDialog
      title="Paste a list"
      description="One word or name a line, then what is heard instead, with commas or tabs between."
      submit={entries.length === 0 ? 'Add words' : `Add ${formatCount(entries.length, 'word')}`}
      isReady={entries.length > 0}
      onSubmit={add}
      onClose={onClose}
    >
      <TextArea
        label="Words"
        labelHidden
        rows={10}
        placeholder={'Nordwind, north wind, nord vind\nSluzhba AG, sloosh bah'}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <PresetChoice session={session} preset={preset} onChange={setPreset} />
    </FormDialog>
  )
}

/** Parses heard forms typed in one field: separated by commas or semicolons. */
function readForms(text: string): string[] {
  return text
    .split(/[,;\t\n]/)
    .map((form) =>
      form
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .trim(),
    )
    .filter((form) => form !== '')
}

/** Parses one word per line, then its heard forms, as pasted from spreadsheets: `Nordwind, north wind, nord vind`. */
export function readLines(text: string, preset: string | null): NewVocabularyEntry[] {
  return text.split('\n').flatMap((line) => {
    const [written, ...heard] = readForms(line)
    return written === undefined ? [] : [{ written, heard, preset }]
  })
}
