import { useState } from 'react'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import { replacingLabels } from '../../../contract/account/corrections.ts'
import { describeTiming } from '../../../formats/captions/caption-rules.ts'
import { Field } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { Desk } from '../desk/desk.ts'
import { wholeChange } from '../edit/changes.ts'
import type { Corrections } from '../edit/corrections.ts'
import { timeText } from './caption-text.ts'
import type { Captions } from './captions.ts'
import { type Import, importCaptions } from './import-captions.ts'
import type { SetCaptionRules } from './set-rules.ts'

type Props = {
  desk: Desk
  captions: Captions
  corrections: Corrections
  rules: CaptionRules
  onPutRules: SetCaptionRules
  onClose: () => void
}

/** Captions with other words that are listed; more are counted. */
const mostListed = 100

/** Reads a caption file, shows what it would change, and puts it in the place of the captions, as one correction. */
export function ImportDialog({ desk, captions, corrections, rules, onPutRules, onClose }: Props) {
  const [bytes, setBytes] = useState<Uint8Array | null>(null)
  const [read, setRead] = useState<Import | string | null>(null)
  const make = (from: Uint8Array): Import => {
    const { made } = captions
    if (made === null) throw new Error('The captions are being made. Choose the file again in a moment.')
    const { names } = desk.text.state.get()
    return importCaptions(from, { ...made, names, hasMarks: made.cues.some(({ mark }) => mark !== '') })
  }
  const choose = async (file: File | undefined) => {
    if (file === undefined) return
    try {
      const content = await file.bytes()
      setBytes(content)
      setRead(make(content))
    } catch (error) {
      setRead((error as Error).message)
    }
  }
  const submit = async () => {
    if (bytes === null) return
    const count = await putInPlace({ desk, corrections, rules, onPutRules }, () => make(bytes))
    showToast({ title: `${formatCount(count, 'caption')} imported`, detail: 'Undo brings back those before.' })
  }
  const isRefused = typeof read === 'string'
  return (
    <FormDialog
      title="Import captions"
      description="In the place of all captions of this transcript, with their times and line breaks. Words that are the same keep what was recognized; speakers are marked by the caption rules."
      submit="Use these captions"
      isReady={read !== null && !isRefused}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="SRT, WebVTT or SBV file"
        type="file"
        accept=".srt,.vtt,.sbv,text/vtt,application/x-subrip,text/plain"
        error={isRefused && read}
        className="py-1"
        onChange={({ target }) => void choose(target.files?.[0])}
      />
      {read !== null && !isRefused && <Preview {...read} timing={describeTiming(rules.timing)} />}
    </FormDialog>
  )
}

/**
 * Puts captions of a file in the place of those before, at the times of the file, as one step.
 * @param read at the last moment, as the text may have changed since the file was chosen
 * @returns their number
 */
async function putInPlace(
  { desk, corrections, rules, onPutRules }: Pick<Props, 'desk' | 'corrections' | 'rules' | 'onPutRules'>,
  read: () => Import,
): Promise<number> {
  const { timing, ...after } = rules
  if (timing !== undefined && !(await onPutRules(after))) throw new Error('Nothing was imported.')
  const { table, count } = read()
  await corrections.commit({
    label: replacingLabels.captions,
    changes: [wholeChange(desk.text.state.get().table, table)],
    names: null,
    ...(timing && { rules: { before: rules, after } }),
  })
  return count
}

/** @param timing of the captions now, in words */
type Previewed = Import & { timing: string | null }

/** What an import would change, in words. */
function Preview(read: Previewed) {
  const { count, different } = read
  return (
    <div className="grid gap-2 text-sm">
      <p role="status" className="font-medium">
        {formatCount(count, 'caption')}
        {different.length === 0 ? ', all with the same words' : `, ${countText(different.length)} with other words`}
      </p>
      <ul className="grid list-disc gap-0.5 pl-5 text-ink-2">
        {notesOn(read).map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      {different.length > 0 && (
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
          tabIndex={0}
          aria-label="Captions with other words"
          className="max-h-40 overflow-y-auto rounded-md border border-line p-2"
        >
          {different.slice(0, mostListed).map(({ startMs, text }) => (
            <li key={startMs} className="truncate">
              <span className="text-ink-3 tabular-nums">{timeText(startMs)}</span> {text}
            </li>
          ))}
          {different.length > mostListed && <li>and {countText(different.length - mostListed)} more</li>}
        </ul>
      )}
    </div>
  )
}

/** What was not taken as it stands in the file, a sentence each. */
function notesOn({ tidied, badLines, hasMarkup, encoding, removedWords, ofTwoTurns, timing }: Previewed): string[] {
  const { empty, backwards, overlapping, joined, endless, long, dense } = tidied
  const counted: [number, one: string, more: string, then: string][] = [
    [overlapping, 'overlaps', 'overlap', ': the earlier one ends when the next begins'],
    [joined, 'begins', 'begin', ' with another one: joined with it'],
    [backwards, 'begins', 'begin', ' before the one above: sorted'],
    [endless, 'has', 'have', ' no length: the end is set by the rules'],
    [long, 'is', 'are', ' shown for over a minute'],
    [dense, 'has', 'have', ' over three lines or 100 words: broken by the rules'],
    [empty, 'has', 'have', ' no text: left out'],
    [ofTwoTurns, 'has', 'have', ' two speakers: a caption for each'],
  ]
  return [
    ...(timing === null ? [] : [`Captions take the times of the file, no longer ${timing}`]),
    ...counted.flatMap(([count, one, more, then]) =>
      count === 0 ? [] : `${countText(count)} ${count === 1 ? one : more}${then}`,
    ),
    ...(badLines.length > 0
      ? [`Times that cannot be read are left out, with their text: line ${listLines(badLines)}`]
      : []),
    ...(removedWords > 0 ? [`${formatCount(removedWords, 'word')} of the text not in the file: removed`] : []),
    ...(hasMarkup ? ['Italics, colors and other markup are left out; “at the top” is kept'] : []),
    ...(encoding === 'UTF-8' ? [] : [`Read as ${encoding}`]),
  ]
}

const listLines = (lines: readonly number[]): string =>
  lines.slice(0, 10).join(', ') + (lines.length > 10 ? ` and ${countText(lines.length - 10)} more` : '')
