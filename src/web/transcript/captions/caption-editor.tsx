import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Cue } from '../../../formats/captions/cues.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { Correcting } from '../desk/correcting.ts'
import { rowClass } from './caption-row.tsx'
import type { EditedCue } from './caption-state.ts'
import { readTime, speedOf, speedText, timeText } from './caption-text.ts'
import type { Captions } from './captions.ts'
import {
  cancelEdit,
  type Edit,
  findBadTime,
  mergeUp,
  saveAndStep,
  saveEdit,
  splitAtCaret,
  type Values,
} from './edit-in-place.ts'
import type { Edge } from './set-captions.ts'

type Props = {
  index: number
  cue: Cue
  /** pixels */
  top: number
  height: number
  captions: Captions
  correcting: Correcting
  editing: EditedCue
}

const fieldClass =
  'w-full min-w-0 rounded-sm border border-accent bg-surface px-1 outline-none focus:ring-1 focus:ring-accent'

/**
 * A caption edited in place: its times and its text, saved when the focus leaves the row. A keystroke costs what it
 * costs in a plain field.
 */
export function CaptionEditor(props: Props) {
  const { index, cue, top, height, captions, editing } = props
  const row = useRef<HTMLDivElement>(null)
  const { before, values, setValues } = useValues(cue)
  const [bad, setBad] = useState<Edge | null>(null)
  const onBadTime = (edge: Edge) => {
    setBad(edge)
    row.current?.querySelector<HTMLInputElement>(`[name="${edge}"]`)?.select()
  }
  const { onKeyDown, onBlur } = useEditorKeys(props, row, { before, values, onBadTime })
  useTyping(props, values.text)
  useEffect(() => focusField(row.current, editing), [editing])
  const field = (name: keyof Values, label: string) => ({
    name,
    'aria-label': label,
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => {
      setValues({ ...values, [name]: target.value })
      if (name === bad) setBad(null)
    },
    ...(name === bad && { 'aria-invalid': true, 'aria-describedby': 'bad-time' }),
  })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset lays out no grid in all browsers
    <div
      ref={row}
      role="group"
      aria-label={`Caption ${index + 1}`}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
      className={`${rowClass} z-10 bg-accent-soft`}
      style={{ top, height }}
    >
      <span className="text-sm leading-5 text-ink-3 tabular-nums phone:hidden">{index + 1}</span>
      <span className="grid content-start gap-0.5 text-sm tabular-nums">
        <input {...field('start', 'Begins')} className={`${fieldClass} h-5`} />
        <input {...field('end', 'Ends')} className={`${fieldClass} h-5`} />
      </span>
      <span className="grid min-w-0 content-start">
        <textarea
          {...field('text', 'Text of this caption')}
          rows={Math.max(2, captions.rules.get().maxLines)}
          className={`${fieldClass} resize-none font-serif text-base leading-5 whitespace-pre`}
        />
        {bad === null ? (
          <Counts text={values.text} mark={cue.mark} captions={captions} />
        ) : (
          <span id="bad-time" role="alert" className="truncate text-xs leading-4.5 text-bad">
            {badTimeText(values[bad])}
          </span>
        )}
      </span>
      <Speed {...{ cue, values }} limit={captions.rules.get().charactersPerSecond} />
    </div>
  )
}

const valuesOf = (cue: Cue): Values => ({
  start: timeText(cue.startMs),
  end: timeText(cue.endMs),
  text: cue.lines.join('\n'),
})

/** Times that are not typed follow the caption: right after a split, they are set once more. */
function useValues(cue: Cue) {
  const [before, setBefore] = useState(() => valuesOf(cue))
  const [values, setValues] = useState(before)
  const { start, end } = valuesOf(cue)
  if (start !== before.start || end !== before.end) {
    setBefore({ ...before, start, end })
    setValues({
      ...values,
      ...(values.start === before.start && { start }),
      ...(values.end === before.end && { end }),
    })
  }
  return { before, values, setValues }
}

/** Characters per second of what is typed, if its times are such. */
function Speed({ cue, values, limit }: { cue: Cue; values: Values; limit: number }) {
  const [startMs, endMs] = [readTime(values.start) ?? cue.startMs, readTime(values.end) ?? cue.endMs]
  const speed = speedOf({ ...cue, startMs, endMs, lines: values.text.split('\n') })
  return (
    <span className={`text-right text-xs leading-5 tabular-nums ${speed > limit ? 'text-warn' : 'text-ink-3'}`}>
      {endMs > startMs && `${speedText(speed, limit)}/s`}
    </span>
  )
}

function badTimeText(typed: string): string {
  return `“${typed.trim().slice(0, 20)}” is not a time. Enter one such as 1:02.5.`
}

const unchangedText = ({ index, before }: Edit, edge: Edge) =>
  `Caption ${index + 1} still ${edge === 'start' ? 'begins' : 'ends'} at ${before[edge]}.`

/** Characters of each line against the rule, and the keys. */
function Counts({ text, mark, captions }: { text: string; mark: string; captions: Captions }) {
  const { lineLength, maxLines } = captions.rules.get()
  const lengths = text.split('\n').map((line, at) => line.trim().length + (at === 0 ? mark.length : 0))
  const isLong = lengths.length > maxLines || lengths.some((length) => length > lineLength)
  return (
    <span className={`truncate text-xs leading-4.5 ${isLong ? 'text-warn' : 'text-ink-3'}`}>
      {lengths.join(' + ')} of {lineLength} characters{isLong && ', will be broken automatically'}
      <span className="phone:hidden"> · Enter next · Ctrl-Enter split · Shift-Enter line break · Esc cancel</span>
    </span>
  )
}

/** While a caption is edited, corrections of others wait, and what is typed is stored as a draft. */
function useTyping({ cue, captions, correcting }: Props, text: string): void {
  const latest = useEffectEvent(() => text)
  const { word } = cue
  useEffect(() => {
    const { cues, table } = captions.state.get()
    const to = cues.find((one) => one.word > word)?.word ?? table?.count ?? word + 1
    correcting.editing.set({ block: -1, from: word, to, typed: () => latest().replaceAll('\n', ' ') })
    return () => correcting.editing.set(null)
  }, [captions, correcting, word])
}

function focusField(row: HTMLElement | null, { field, caret }: EditedCue): void {
  const input = row?.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name="${field}"]`)
  if (!input || input.ownerDocument.activeElement === input) return
  input.focus({ preventScroll: true })
  if (field === 'text') input.setSelectionRange(caret, caret)
  else input.select()
}

type Typed = Pick<Edit, 'before' | 'values'> & { onBadTime: (edge: Edge) => void }

function useEditorKeys(props: Props, row: React.RefObject<HTMLElement | null>, { onBadTime, ...typed }: Typed) {
  const isEnded = useRef(false)
  const edit: Edit = { ...props, ...typed, isEnded }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const { name, selectionStart, selectionEnd } = event.target as HTMLTextAreaElement
    const isText = name === 'text'
    const isAtStart = isText && selectionStart === 0 && selectionEnd === 0
    const onEnter = () => {
      const bad = findBadTime(edit)
      if (bad !== null) onBadTime(bad)
      else if (isText && (event.ctrlKey || event.metaKey)) splitAtCaret(edit, selectionStart)
      else saveAndStep(edit, name as EditedCue['field'])
    }
    const acts: Record<string, false | (() => void)> = {
      Enter: !(isText && event.shiftKey) && onEnter,
      Escape: () => cancelEdit(edit),
      Backspace: isAtStart && props.index > 0 && (() => mergeUp(edit)),
    }
    const act = !event.altKey && !event.nativeEvent.isComposing && acts[event.key]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const onBlur = ({ relatedTarget }: React.FocusEvent) => {
    if (row.current?.contains(relatedTarget) || !saveEdit(edit)) return
    const bad = findBadTime(edit)
    // Here the row makes way for what was pressed.
    if (bad !== null) showToast({ tone: 'bad', title: badTimeText(edit.values[bad]), detail: unchangedText(edit, bad) })
    // Another row may be edited already.
    if (props.captions.editing.get() === props.editing) props.captions.editing.set(null)
  }
  return { onKeyDown, onBlur }
}
