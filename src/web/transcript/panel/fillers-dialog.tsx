import { useMemo, useState } from 'react'
import { LabelledCheckbox } from '../../base/ui/checkbox.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { Select } from '../../base/ui/select.tsx'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { Correcting } from '../desk/correcting.ts'
import type { Desk } from '../desk/desk.ts'
import { detectLanguage, type FillerLanguage, fillerLanguages, findFillers } from '../edit/fillers.ts'
import { changesWithout } from '../edit/without-words.ts'
import type { TextState } from '../model/transcript-text.ts'
import { turnTime } from '../view/block-element.ts'

type Props = { desk: Desk; correcting: Correcting; open: boolean; onClose: () => void }

const languages = Object.entries(fillerLanguages).map(([value, { name }]) => ({
  value: value as FillerLanguage,
  label: name,
}))
/** Maximum number of places listed. */
const maxListed = 200

/** Lists fillers like “um” as of when it opens, and removes the selected ones as one step. */
export function FillersDialog({ desk, correcting, open, onClose }: Props) {
  const [text] = useState(desk.text.state.get)
  const { table } = text
  const [language, setLanguage] = useState(() => detectLanguage(table))
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const found = useMemo(() => findFillers(table, language), [table, language])
  const wordsOf = (fillers: typeof found) =>
    [...fillers].flatMap(([sound, places]) => (kept.has(sound) ? [] : places)).sort((a, b) => a - b)
  const words = wordsOf(found)
  const onKeep = (sound: string, isKept: boolean) => {
    const next = new Set(kept)
    if (isKept) next.add(sound)
    else next.delete(sound)
    setKept(next)
  }
  return (
    <FormDialog
      open={open}
      title="Remove filler words"
      description="Commas, full stops and capitals around them are fixed. One undo brings all of them back."
      submit={words.length === 0 ? 'Remove' : `Remove ${formatCount(words.length, 'word')}`}
      isReady={words.length > 0}
      onSubmit={() => {
        // Somebody else may have changed the text since it opened.
        const now = desk.text.state.get().table
        const gone = now === table ? words : wordsOf(findFillers(now, language))
        if (!correcting.change('Remove filler words', changesWithout(now, gone))) return
        showToast({ title: `${formatCount(gone.length, 'filler')} taken out`, detail: 'Undo reverts them all.' })
      }}
      onClose={onClose}
    >
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        {[...found].map(([sound, places]) => (
          <LabelledCheckbox
            key={sound}
            label={`${sound} ${countText(places.length)}`}
            checked={!kept.has(sound)}
            onChange={(event) => onKeep(sound, !event.target.checked)}
          />
        ))}
        {found.size === 0 && <p className="text-ink-2">None were found.</p>}
        <div className="ml-auto">
          <Select label="Language of the talk" value={language} options={languages} onChange={setLanguage} />
        </div>
      </div>
      <Places text={text} words={words} beginsAt={desk.beginsAt.get()} />
    </FormDialog>
  )
}

type PlacesProps = { text: TextState; words: readonly number[]; beginsAt: number | undefined }

function Places({ text: { table, blocks }, words, beginsAt }: PlacesProps) {
  if (words.length === 0) return null
  return (
    <ol
      aria-label="What is taken out"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className="grid max-h-[40dvh] gap-1.5 overflow-y-auto rounded-md border border-line p-3"
    >
      {words.slice(0, maxListed).map((word) => (
        <li key={word} className="flex gap-3">
          <span className="shrink-0 text-xs leading-6 text-ink-3 tabular-nums">
            {turnTime(table.startOf(word), beginsAt)}
          </span>
          <span dir="auto" className="font-serif text-md wrap-anywhere">
            {table.slice(Math.max(blocks.first(blocks.blockOf(word)), word - 4), word)}{' '}
            <del className="bg-bad-soft text-bad">{table.wordText(word)}</del>{' '}
            {table.slice(word + 1, Math.min(blocks.end(blocks.blockOf(word)), word + 5))}
          </span>
        </li>
      ))}
      {words.length > maxListed && (
        <li className="text-sm text-ink-3">and {countText(words.length - maxListed)} more</li>
      )}
    </ol>
  )
}
