import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type DeskPart, type ReturnReason, returnReasons, shortestReason } from '../../../contract/work/parts.ts'
import { fetchUnheardShare, reopenPart, returnPart, submitPart, type Unheard, work } from '../../base/api/work.ts'
import { useSignal } from '../../base/state/signal.ts'
import { LabelledCheckbox } from '../../base/ui/checkbox.tsx'
import { roughLength } from '../../base/ui/duration.ts'
import { TextArea } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { Select } from '../../base/ui/select.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { placeWords, stretchWords, timeWords } from '../part-words.ts'
import { noRework, ReworkFields } from '../rework-fields.tsx'
import { useStaff } from '../staff-session.ts'
import { forgetPart, type PartDesk } from './part-desk.ts'

type Props = { open: PartDesk; onClose: () => void }

/** Leaves the part once the service has accepted the action. */
function useLeaving({ open }: Pick<Props, 'open'>) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (title: string) => {
    await forgetPart(open)
    await client.invalidateQueries({ queryKey: work.staff(open.held.session).queryKey })
    showToast({ title, tone: 'ok' })
    void navigate('/')
  }
}

type FinishProps = {
  part: DeskPart
  ticked: readonly string[]
  onTick: (id: string, isTicked: boolean) => void
}

/** What becomes of the text. */
function nextWords({ part: { step }, parts }: DeskPart): string {
  if (step !== 'check') return 'It goes on to the next step.'
  return parts.length > 0 ? 'The text goes to the customer.' : 'The text replaces the one that the customer has.'
}

/** Completes the step; first names what is open: points of the list, sound, doubts, blanks. */
export function FinishDialog({ open, part, ticked, onTick, onClose }: Props & FinishProps) {
  const { staff } = useStaff()
  const [reason, setReason] = useState('')
  const leave = useLeaving({ open })
  const { held, hold } = open
  // First reports what has been played until now.
  const { data } = useQuery({
    queryKey: [...work.all(held.session), 'unheard', held.part, held.claim],
    queryFn: async () => {
      await hold.renew()
      open.correcting.finish()
      // Figures of text that could not be saved yet are those of the text before.
      await open.settled().catch(() => undefined)
      return await fetchUnheardShare(held)
    },
    staleTime: 0,
    gcTime: 0,
  })
  const [toTick] = useState(() => part.sheet.filter(({ id }) => !ticked.includes(id)))
  const isTicked = part.sheet.every(({ id }) => ticked.includes(id))
  const needsReason =
    data !== undefined && (data.share < staff.heard_share || data.doubts > 0 || data.odd.includes('short'))
  const submit = async () => {
    open.correcting.finish()
    const revision = await open.settled()
    await submitPart(held, { revision, ticked: [...ticked], ...(needsReason && { reason: reason.trim() }) })
    await leave('Finished')
  }
  return (
    <FormDialog
      title="Finish this part"
      description={`${nextWords(part)} You cannot change it any more.`}
      submit="Finish"
      isReady={data !== undefined && isTicked && (!needsReason || reason.trim().length >= shortestReason)}
      onSubmit={submit}
      onClose={onClose}
    >
      {toTick.length > 0 && <ToTick {...{ items: toTick, ticked, onTick }} />}
      {data !== undefined && <OpenPoints left={data} part={part} isHeard={data.share >= staff.heard_share} />}
      {needsReason && (
        <TextArea
          label="Why is that enough?"
          hint={`At least ${shortestReason} characters. The next person and managers read it.`}
          value={reason}
          maxLength={500}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  )
}

function ToTick({ items, ticked, onTick }: Omit<FinishProps, 'part'> & { items: DeskPart['sheet'] }) {
  return (
    <Notice tone="warn">
      Tick each item of the list before you finish. Not ticked yet:
      {items.map(({ id, text }) => (
        <LabelledCheckbox
          key={id}
          label={text}
          checked={ticked.includes(id)}
          onChange={(event) => onTick(id, event.target.checked)}
        />
      ))}
    </Notice>
  )
}

const oddWords = {
  unheard: 'too little of it was heard',
  unchanged: 'hardly a word was changed',
  short: 'the text is far too short',
} as const

/** `The text is empty.`; how many words a draft had says how many it could have. */
function shortWords({ words }: Unheard, { words: draft, part }: DeskPart): string {
  if (words === 0) return 'The text is empty.'
  const than = draft.length > 0 ? `${draft.length} were recognized` : `it is of ${roughLength(part.end - part.start)}`
  return `The text has only ${formatCount(words, 'word')}; ${than}.`
}

/** What is open in the text and its sound, and whether a manager will look at it. */
function OpenPoints({ left, part, isHeard }: { left: Unheard; part: DeskPart; isHeard: boolean }) {
  const { share, unheard, heard, doubts, blanks, odd } = left
  const inText = [
    doubts > 0 && `${formatCount(doubts, 'doubt')} not looked at`,
    blanks > 0 && formatCount(blanks, 'blank'),
  ].filter((words) => words !== false)
  return (
    <>
      {!isHeard && (
        <Notice tone="warn">
          You have heard {Math.floor(share * 100)} % of the sound. Not heard: {stretchWords(unheard)} of the recording.
        </Notice>
      )}
      {isHeard && odd.includes('unheard') && (
        <Notice tone="warn">
          You have heard {Math.floor(heard * 100)} % of the sound yourself; reviewers have heard the rest.
        </Notice>
      )}
      {odd.includes('short') && <Notice tone="warn">{shortWords(left, part)}</Notice>}
      {inText.length > 0 && (
        <Notice tone={doubts > 0 ? 'warn' : 'plain'}>Left in the text: {inText.join(', ')}.</Notice>
      )}
      {odd.length > 0 && (
        <Notice tone="warn">
          A manager looks at it before it is paid{part.parts.length > 0 && ' and delivered'}:{' '}
          {odd.map((mark) => oddWords[mark]).join(', ')}.
        </Notice>
      )}
    </>
  )
}

const choicesFrom = <Name extends string>(words: Readonly<Record<Name, string>>) =>
  (Object.entries(words) as [Name, string][]).map(([value, label]) => ({ value, label }))

/** Returns the part to the queue, with a reason. */
export function ReturnDialog({ open, onClose }: Props) {
  const [reason, setReason] = useState<ReturnReason>('no-time')
  const leave = useLeaving({ open })
  const submit = async () => {
    open.correcting.finish()
    // What could not be saved is lost to the next person, which is better than a part that nobody can take.
    await open.settled().catch(() => undefined)
    await returnPart(open.held, { reason })
    await leave('Given back')
  }
  return (
    <FormDialog
      title="Give this part back"
      description="What you have typed goes to whoever takes it next."
      submit="Give back"
      onSubmit={submit}
      onClose={onClose}
    >
      <Select label="Reason" value={reason} options={choicesFrom(returnReasons)} onChange={setReason} />
    </FormDialog>
  )
}

/** A reviewer sends the part back for retyping; a checker, one of the parts of the whole. */
export function ReopenDialog({ open, part, onClose }: Props & { part: DeskPart }) {
  const [rework, setRework] = useState(noRework)
  const [chosen, setChosen] = useState('')
  const leave = useLeaving({ open })
  const places = useSignal(open.places.list)
  const ofWhole = part.part.step === 'check'
  const submit = async () => {
    open.correcting.finish()
    await open.settled()
    const within = part.parts.find(({ id }) => id === chosen) ?? part.part
    const marked = open.places.list.get().filter(({ start }) => start >= within.start && start < within.end)
    await reopenPart(open.held, ofWhole ? chosen : open.held.part, { ...rework, places: [...marked] })
    await leave('Sent back to be typed once more')
  }
  const choices = part.parts.map((one) => ({
    value: one.id,
    label: `${placeWords({ ...one, of: part.parts.length })} · ${timeWords(one)}`,
  }))
  const kept = 'What is there stays: whoever takes it next continues there, and reads your note.'
  return (
    <FormDialog
      title={ofWhole ? 'Have a part typed once more' : 'Have it typed once more'}
      description={ofWhole ? `${kept} Your check ends, and what you changed is kept.` : kept}
      submit="Send back"
      isReady={rework.reasons.length > 0 && (!ofWhole || chosen !== '')}
      onSubmit={submit}
      onClose={onClose}
    >
      {ofWhole && (
        <Select
          label="Part"
          value={chosen}
          options={[{ value: '', label: 'Choose a part' }, ...choices]}
          onChange={setChosen}
        />
      )}
      {places.length > 0 && (
        <p className="text-sm text-ink-2">With the marked words: {places.map(({ text }) => `“${text}”`).join(', ')}</p>
      )}
      <ReworkFields rework={rework} onChange={setRework} />
    </FormDialog>
  )
}
