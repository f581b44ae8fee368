import '../../transcript/page/transcript.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { TimerOff } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useParams } from 'react-router'
import type { DeskPart } from '../../../contract/work/parts.ts'
import { type HeldPart, work } from '../../base/api/work.ts'
import { useSignal } from '../../base/state/signal.ts'
import { Button, buttonClass } from '../../base/ui/button.tsx'
import { Dialog } from '../../base/ui/dialog.tsx'
import { EmptyState, PageFailure } from '../../base/ui/empty-state.tsx'
import { useMedia } from '../../base/ui/use-media.ts'
import { preferences } from '../../signed-in/preferences/preferences.ts'
import { loopWhatIsTyped } from '../../transcript/desk/open-desk.ts'
import { DoubtBar } from '../../transcript/page/doubt-bar.tsx'
import { EditBar } from '../../transcript/page/edit-bar.tsx'
import { Reader } from '../../transcript/page/reader.tsx'
import { useDrafts } from '../../transcript/page/use-transcript.ts'
import { turnTime } from '../../transcript/view/block-element.ts'
import type { ReaderHandlers } from '../../transcript/view/reader-events.ts'
import { placeWords, stepWords } from '../part-words.ts'
import { useStaff } from '../staff-session.ts'
import { DeskConflicts } from './desk-conflicts.tsx'
import { DeskHeader } from './desk-header.tsx'
import { DeskPanel } from './desk-panel.tsx'
import { EndedNotice } from './ended-notice.tsx'
import { KeptInTab } from './kept-in-tab.ts'
import { beginToType, openPart, type PartDesk } from './part-desk.ts'
import { PartSound } from './part-sound.tsx'
import { type Abbreviations, expandWhileTyping, readAbbreviations, storeAbbreviations } from './typing-keys.ts'
import { DeskFind, DeskKeysDialog, useDeskKeys } from './use-desk-keys.tsx'
import { useMarks } from './use-marks.ts'
import { usePedals } from './use-pedals.ts'

/** A part held by the signed-in staff member: `/work/parts/:id`. */
export function DeskPage() {
  const { id = '' } = useParams()
  const { session, staff } = useStaff()
  const claim = staff.held.find(({ part }) => part === id)?.claim
  // After the hold ends, the page stays with what was typed, until the user leaves it or takes the part again.
  const [opened, setOpened] = useState<HeldPart | null>(null)
  if (claim !== undefined && (opened?.part !== id || claim > opened.claim)) setOpened({ session, part: id, claim })
  if (opened === null || opened.part !== id) return <NotHeld />
  return <LoadedDesk key={`${id} ${opened.claim}`} held={opened} />
}

function NotHeld() {
  return (
    <EmptyState
      icon={<TimerOff aria-hidden />}
      title="You do not hold this part"
      actions={
        <Link to="/" className={buttonClass('primary')}>
          To the queue
        </Link>
      }
    >
      Your hold has ended, or you never took it. If it is still free it stands in the queue, with all that was saved.
    </EmptyState>
  )
}

function LoadedDesk({ held }: { held: HeldPart }) {
  const desk = useQuery(work.desk(held))
  if (desk.error !== null && desk.data === undefined) return <PageFailure message={desk.error.message} />
  return desk.data === undefined ? null : <Desk held={held} part={desk.data} />
}

function Desk({ held, part }: { held: HeldPart; part: DeskPart }) {
  const { staff } = useStaff()
  const tools = useRef<HTMLDivElement>(null)
  const [open] = useState(() => openPart(held, part, staff, () => tools.current?.querySelector('button')?.focus()))
  const { desk, correcting } = open
  const hold = useSignal(open.hold.state)
  const isOver = hold.ended !== null
  const [list, setList] = useState<Abbreviations>(() => readAbbreviations(staff.id))
  const [showsPanel, setShowsPanel] = useState(false)
  const [ticked, tick] = useTicks(held)
  const narrow = useMedia('(width < 60rem)')
  useOpenDesk(open, part, list)
  useDrafts(open)
  const marks = useMarks(open, part)
  const pedals = usePedals(desk.playback)
  const keys = useDeskKeys(open, part, isOver)
  const panel = (
    <DeskPanel
      {...{ open, part, ticked, list, marks, pedals }}
      mayType={!isOver}
      onLeave={() => setShowsPanel(false)}
      onKeys={() => keys.show('keys')}
      onTick={tick}
      onList={(next) => {
        setList(next)
        storeAbbreviations(staff.id, next)
      }}
    />
  )
  return (
    <div className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto_auto]">
      <DeskHeader
        {...{ open, part, ticked }}
        onTick={tick}
        {...keys}
        onPanel={narrow ? () => setShowsPanel(true) : null}
      />
      <div className="flex min-h-0">
        <div className="@container relative grid min-w-0 flex-1 grid-rows-[auto_minmax(0,1fr)]">
          <div>
            {isOver && <EndedNotice open={open} words={hold.ended ?? ''} isDeleted={hold.isGone} />}
            <NoWords open={open} part={part} isOver={isOver} />
            <DeskFind open={open} keys={keys} />
          </div>
          <Reader desk={desk} {...textHandlers(open, isOver)} />
        </div>
        {!narrow && (
          <aside
            aria-label="Instructions"
            className="grid w-80 shrink-0 grid-cols-[minmax(0,1fr)] content-start gap-7 overflow-y-auto border-l border-line px-5 py-5"
          >
            {panel}
          </aside>
        )}
      </div>
      <div>
        {!isOver && <DeskConflicts {...open} />}
        {!isOver && <DoubtBar {...open} />}
        {!isOver && <EditBar ref={tools} desk={desk} correcting={correcting} offered={part.known_names} />}
      </div>
      <PartSound open={open} part={part} />
      <DeskKeysDialog {...keys} />
      <Dialog open={showsPanel && narrow} onClose={() => setShowsPanel(false)} title="Instructions">
        <div className="grid gap-6">{panel}</div>
      </Dialog>
    </div>
  )
}

/** A double click or Enter edits; a click plays or edits. */
function textHandlers({ desk, correcting }: PartDesk, isOver: boolean): Pick<ReaderHandlers, 'onClick' | 'onEdit'> {
  return {
    onEdit: (block, word) => {
      desk.undoClick()
      if (!isOver) correcting.begin(block, word)
    },
    onClick: ({ block, offset }, word) => {
      const plays = preferences.get().click === 'plays'
      if (word !== null) desk[plays ? 'playWord' : 'goToWord'](word)
      if (!plays && !isOver) correcting.begin(block, null, offset)
    },
  }
}

/** Opens the text, goes to the first doubtful word, and enables the typing shortcuts while the page is open. */
function useOpenDesk(open: PartDesk, part: DeskPart, list: Abbreviations): void {
  const client = useQueryClient()
  const listNow = useEffectEvent(() => list)
  useEffect(() => {
    document.title = `${stepWords[part.part.step]}: ${placeWords(part.part)} · Parley work`
    const stops = [
      open.open(),
      loopWhatIsTyped(open),
      expandWhileTyping({ list: () => listNow(), fields: () => fieldsAtCaret(open) }),
    ]
    let isLeft = false
    // The saved text may be without the first doubt of the recognized one.
    if (part.part.step === 'type') void open.shown.then(() => isLeft || showFirstDoubt(open))
    return () => {
      isLeft = true
      for (const stop of stops) stop()
      // The list of held parts may have changed.
      void client.invalidateQueries({ queryKey: work.staff(open.held.session).queryKey })
    }
  }, [open, part, client])
}

function showFirstDoubt({ doubts, correcting }: PartDesk): void {
  if (correcting.editing.get() === null && doubts.current.get() === null) doubts.stepFrom(0)
}

/** What `{time}` and `{speaker}` stand for in an abbreviation. */
function fieldsAtCaret({ desk, correcting, start }: PartDesk): { time: string; speaker: string } {
  const { table, names } = desk.text.state.get()
  const speaker = names[table.speakerOf(correcting.editing.get()?.from ?? 0)] ?? ''
  return { time: turnTime(desk.playback.seconds + start), speaker }
}

function NoWords({ open, part, isOver }: { open: PartDesk; part: DeskPart; isOver: boolean }) {
  const { table } = useSignal(open.desk.text.state)
  const { saved } = useSignal(open.corrections.state)
  if (table.count > 0 || saved === 'waiting') return null
  return (
    <EmptyState
      title="There are no words yet"
      actions={
        !isOver && (
          <Button variant="primary" onClick={() => beginToType(open, part)}>
            Begin to type
          </Button>
        )
      }
    >
      Nothing was recognized here, or all of it was taken out.
    </EmptyState>
  )
}

/** The ticked items of the sheet: each person confirms their own step. */
function useTicks(held: HeldPart): [readonly string[], (id: string, isTicked: boolean) => void] {
  const [kept] = useState(() => new KeptInTab('ticks', held))
  const [ticked, setTicked] = useState(kept.lines)
  const tick = (id: string, isTicked: boolean) => {
    const next = isTicked ? [...ticked, id] : ticked.filter((one) => one !== id)
    setTicked(next)
    kept.set(next)
  }
  return [ticked, tick]
}
