import {
  ArrowUpToLine,
  Check,
  ChevronDown,
  ChevronUp,
  Clock,
  Combine,
  Play,
  RotateCcw,
  Settings,
  Split,
  X,
} from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import { captionStyles, findStyle, frameMs } from '../../../formats/captions/caption-rules.ts'
import { shownLines } from '../../../formats/captions/cues.ts'
import type { Session } from '../../base/api/client.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { IconButton, pressedClass } from '../../base/ui/icon-button.tsx'
import { Kbd } from '../../base/ui/kbd.tsx'
import { Select } from '../../base/ui/select.tsx'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import { getCaptionRules, useSetCaptionRules } from '../../signed-in/library/caption-rules.ts'
import type { OpenDesk } from '../desk/open-desk.ts'
import { isUsedByFocus } from '../desk/page-keys.ts'
import { contradictionIn } from '../downloads/apply-choices.ts'
import { CaptionFields, styleChoices } from '../downloads/caption-fields.tsx'
import { describeFile } from '../downloads/make-file.ts'
import { CaptionList } from './caption-list.tsx'
import { CaptionPicture } from './caption-picture.tsx'
import { CaptionStrip } from './caption-strip.tsx'
import { faultText } from './caption-text.ts'
import { Captions } from './captions.ts'
import { automatic, findMiddle, merge, place, split } from './set-captions.ts'
import { VideoMenu } from './video-menu.tsx'

type Props = OpenDesk & { session: Session; record: FileRecord; onClose: () => void }

/** The transcript as captions: on the picture, over the waveform and in a list, with a step through rule violations. */
export function CaptionsView({ desk, corrections, session, record, onClose }: Props) {
  const rules = getCaptionRules(record)
  const setRules = useSetCaptionRules(session, record)
  const [captions] = useState(() => new Captions(desk, corrections, describeFile(record), rules))
  const { table } = useSignal(captions.state)
  useEffect(() => captions.open(), [captions])
  useEffect(() => captions.keepTo(rules), [captions, rules])
  useCaptionKeys(captions, onClose)
  return (
    <section
      aria-label="Captions of this transcript"
      className="absolute inset-0 z-20 grid grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(5rem,34%)_auto_minmax(0,1fr)_auto] bg-canvas phone:grid-rows-[auto_minmax(5rem,22%)_auto_minmax(0,1fr)_auto] low:grid-rows-[auto_5rem_auto_minmax(0,1fr)_auto]"
    >
      <div className="flex items-center gap-2 border-b border-line px-5 py-2 phone:px-3">
        <h2 className="font-semibold phone:sr-only">Captions</h2>
        <RuleChoice rules={rules} mayChange={() => corrections.mayChange()} onChange={setRules} />
        <Count captions={captions} />
        {record.mediaKind === 'video' && (
          <VideoMenu session={session} id={record.id} rules={rules} corrections={corrections} />
        )}
        <IconButton label="Back to the text" tooltip={false} onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </div>
      <div className="min-h-0 bg-[#000]">
        <CaptionPicture playback={desk.playback} captions={captions} />
      </div>
      <CaptionStrip
        session={session}
        id={record.id}
        durationSeconds={record.seconds}
        playback={desk.playback}
        captions={captions}
      />
      {table === null ? <p className="p-5 text-ink-2">Making the captions…</p> : <CaptionList captions={captions} />}
      <CaptionBar captions={captions} />
    </section>
  )
}

type RuleProps = {
  rules: CaptionRules
  /** says why, if not */
  mayChange: () => boolean
  onChange: (rules: CaptionRules) => Promise<void>
}

/** The style guides' rules, and own ones, which a form asks for. */
const ruleChoices = [...styleChoices, { value: 'own' as const, label: 'Own rules…' }]

/** Selects a house style, or custom rules in a form. */
function RuleChoice({ rules, mayChange, onChange }: RuleProps) {
  const [edited, setEdited] = useState<CaptionRules | null>(null)
  const edit = () => {
    if (mayChange()) setEdited(rules)
  }
  const choose = (style: (typeof ruleChoices)[number]['value']) => {
    if (style === 'own') edit()
    else if (mayChange()) void onChange(captionStyles[style])
  }
  return (
    <>
      <Select label="Caption rules" look="quiet" value={findStyle(rules)} options={ruleChoices} onChange={choose} />
      <IconButton label="Change the rules" onClick={edit}>
        <Settings aria-hidden />
      </IconButton>
      {edited !== null && (
        <FormDialog
          title="Caption rules"
          submit="Use these rules"
          isReady={contradictionIn(edited) === null}
          onSubmit={() => onChange(edited)}
          onClose={() => setEdited(null)}
        >
          <CaptionFields rules={edited} onChange={(next) => next && setEdited(next)} />
        </FormDialog>
      )}
    </>
  )
}

function Count({ captions }: { captions: Captions }) {
  const { cues, faults, table } = useSignal(captions.state)
  if (table === null) return <span className="ml-auto" />
  return (
    <p role="status" className="ml-auto truncate text-sm text-ink-2 tabular-nums">
      {formatCount(cues.length, 'caption')}
      {faults.size === 0
        ? ', all keep the rules'
        : `, ${countText(faults.size)} break${faults.size === 1 ? 's' : ''} a rule`}
    </p>
  )
}

/** The current caption, its rule violations and the actions on it, and a step to the next violation. */
function CaptionBar({ captions }: { captions: Captions }) {
  const { cues, faults, current } = useSignal(captions.state)
  const cue = cues[current]
  const problems = faults.get(current)?.map((fault) => faultText(fault, captions.rules.get()))
  const rank = [...faults.keys()].indexOf(current)
  return (
    <div
      role="toolbar"
      aria-label="Caption"
      className="flex flex-wrap items-center gap-x-2 gap-y-1 border-t border-line bg-surface px-5 py-2 phone:px-3"
    >
      <p className="mr-auto flex min-w-0 basis-48 grow items-baseline gap-x-2">
        {problems !== undefined && (
          <span role="status" className="max-w-full shrink-0 text-sm text-warn">
            {problems.join(', ')} · {countText(rank + 1)} of {countText(faults.size)}
          </span>
        )}
        {cue !== undefined && <bdi className="truncate font-serif">“{shownLines(cue).join(' ')}”</bdi>}
      </p>
      <IconButton label="Play this caption" onClick={() => captions.play()}>
        <Play aria-hidden />
      </IconButton>
      <Tools captions={captions} isTop={cue?.edit?.top === true} isSet={cue?.edit?.whole === true} />
      <FaultSteps captions={captions} />
    </div>
  )
}

function Tools({ captions, isTop, isSet }: { captions: Captions; isTop: boolean; isSet: boolean }) {
  return (
    <>
      <Button size="sm" onClick={() => splitInMiddle(captions)}>
        <Split aria-hidden /> <span className="phone:sr-only">Split</span>
      </Button>
      <Button size="sm" onClick={() => mergeNext(captions)}>
        <Combine aria-hidden /> <span className="phone:sr-only">Merge with next</span>
      </Button>
      <IconButton
        label="At the top of the picture"
        aria-pressed={isTop}
        className={pressedClass}
        onClick={() => void captions.change('Place caption', place)}
      >
        <ArrowUpToLine aria-hidden />
      </IconButton>
      <IconButton label="Automatic again" disabled={!isSet} onClick={() => toAutomatic(captions)}>
        <RotateCcw aria-hidden />
      </IconButton>
    </>
  )
}

function FaultSteps({ captions }: { captions: Captions }) {
  const { faults } = useSignal(captions.state)
  if (faults.size === 0) {
    return (
      <span className="flex items-center gap-1 text-sm text-ok">
        <Check aria-hidden className="size-4" /> <span className="phone:sr-only">All keep the rules</span>
      </span>
    )
  }
  return (
    <>
      <Button size="sm" onClick={() => void captions.fixTiming()}>
        <Clock aria-hidden /> <span className="phone:sr-only">Fix timing</span>
      </Button>
      <IconButton label="Previous caption that breaks a rule" onClick={() => captions.stepFault(-1)}>
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton label="Next caption that breaks a rule" onClick={() => captions.stepFault(1)}>
        <ChevronDown aria-hidden />
      </IconButton>
      <span className="phone:hidden">
        <Kbd>N</Kbd>
      </span>
    </>
  )
}

/** Splits at the playback position if it is within the current caption, else in its middle. */
function splitInMiddle(captions: Captions): void {
  void captions.change('Split caption', (made, index) =>
    split(made, index, captions.spokenIn(made, index) ?? findMiddle(made, index)),
  )
}

function mergeNext(captions: Captions): void {
  void captions.change('Merge captions', merge)
}

function toAutomatic(captions: Captions): void {
  void captions.change('Automatic caption', automatic)
}

/** Moves an edge of the current caption by frames. */
function shift(captions: Captions, edge: 'start' | 'end', frames: number): void {
  const { cues, current } = captions.state.get()
  const cue = cues[current]
  if (cue === undefined) return
  captions.moveEdge(current, edge, (edge === 'start' ? cue.startMs : cue.endMs) + frames * frameMs)
}

/** N and Shift-N as for doubtful words; S, M, T, A; comma and period move the start by a frame, with Shift the end. */
function useCaptionKeys(captions: Captions, onClose: () => void): void {
  const { goTo, state } = {
    goTo: (by: number) => captions.goTo(captions.state.get().current + by),
    state: captions.state,
  }
  const keys: Record<string, () => void> = {
    n: () => captions.stepFault(1),
    N: () => captions.stepFault(-1),
    s: () => splitInMiddle(captions),
    m: () => mergeNext(captions),
    M: () => {
      if (state.get().current > 0) goTo(-1)
      mergeNext(captions)
    },
    t: () => void captions.change('Place caption', place),
    a: () => toAutomatic(captions),
    ',': () => shift(captions, 'start', -1),
    '.': () => shift(captions, 'start', 1),
    '<': () => shift(captions, 'end', -1),
    '>': () => shift(captions, 'end', 1),
    Enter: () => captions.play(),
    Escape: onClose,
    // Disables the text's shortcuts below.
    Delete: () => undefined,
    Backspace: () => undefined,
    c: () => undefined,
    C: () => undefined,
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = keys[event.key]
    const isPressed = event.key === 'Enter' && event.target instanceof Element && event.target.closest('button, a')
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey || isPressed || isUsedByFocus(event))
      return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    // Captures keys before the page's own shortcuts, which skip handled events.
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [])
}
