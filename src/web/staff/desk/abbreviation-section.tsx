import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../../base/ui/button.tsx'
import { Field } from '../../base/ui/field.tsx'
import { FileButton } from '../../base/ui/file-button.tsx'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { saveFile } from '../../base/ui/save-file.ts'
import { formatCount } from '../../base/ui/sizes.ts'
import { PanelSection } from '../../transcript/panel/panel-section.tsx'
import { type Abbreviations, abbreviationsOf } from './typing-keys.ts'

type Props = { list: Abbreviations; onList: (list: Abbreviations) => void }

/** A typist's abbreviations: added one by one, saved as a file and read from one, for another device or a colleague. */
export function AbbreviationSection({ list, onList }: Props) {
  const [short, setShort] = useState('')
  const [long, setLong] = useState('')
  const [problem, setProblem] = useState('')
  const clean = short.trim()
  const load = async (file: File) => {
    const { read, odd } = abbreviationsOf(await file.text())
    onList({ ...list, ...read })
    setProblem(
      odd === 0 ? '' : `${formatCount(odd, 'line')} left out: a line is the abbreviation, a tab, and its text.`,
    )
  }
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (clean === '' || /\s/.test(clean) || long.trim() === '') return
    onList({ ...list, [clean]: long.trim() })
    setShort('')
    setLong('')
  }
  return (
    <PanelSection title="Abbreviations">
      <ul className="grid gap-1 text-sm">
        {Object.entries(list).map(([name, text]) => (
          <li key={name} className="flex items-center gap-2">
            <span className="font-medium">{name}</span>
            <span className="min-w-0 flex-1 truncate text-ink-2">{text}</span>
            <IconButton
              label={`Remove ${name}`}
              onClick={() => onList(Object.fromEntries(Object.entries(list).filter(([one]) => one !== name)))}
            >
              <Trash2 aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <form onSubmit={add} className="grid grid-cols-[5rem_1fr_auto] items-end gap-2">
        <Field label="Short" value={short} autoComplete="off" onChange={(event) => setShort(event.target.value)} />
        <Field label="Written out" value={long} autoComplete="off" onChange={(event) => setLong(event.target.value)} />
        <Button type="submit">Add</Button>
      </form>
      <div className="flex flex-wrap gap-2">
        <FileButton accept=".txt,.tsv,text/plain" label="Abbreviations to load" onFile={(file) => void load(file)}>
          Load…
        </FileButton>
        {Object.keys(list).length > 0 && <Button onClick={() => save(list)}>Save as a file</Button>}
      </div>
      {problem !== '' && <Notice tone="warn">{problem}</Notice>}
    </PanelSection>
  )
}

/** As lines that spreadsheets and other tools read, too. */
function save(list: Abbreviations): void {
  const lines = Object.entries(list).map(([short, long]) => `${short}\t${long}\n`)
  saveFile(new Blob(lines, { type: 'text/plain;charset=utf-8' }), 'abbreviations.txt')
}
