import { Mic, Pause } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSignal } from '../../base/state/signal.ts'
import { announce } from '../../base/ui/announcer.tsx'
import { Button } from '../../base/ui/button.tsx'
import { Dialog } from '../../base/ui/dialog.tsx'
import { clockText } from '../../base/ui/duration.ts'
import { Field } from '../../base/ui/field.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { addFilesToTray } from '../../signed-in/uploads/tray/add-to-tray.ts'
import type { Owner } from '../../signed-in/uploads/tray/upload.ts'
import { uploadStorage } from '../../signed-in/uploads/uploads.ts'
import { Recorder, type RecorderState } from './recorder.ts'

const barCount = 28

function defaultName(): string {
  const now = new Date()
  const two = (value: number) => String(value).padStart(2, '0')
  return `Recording ${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())} ${two(now.getHours())}.${two(now.getMinutes())}`
}

/** Shorter recordings are discarded without asking. */
const worthAskingMs = 2_000

type Props = { owner: Owner; onClose: () => void }

/** A recorder that lives as long as the dialog is open. */
function useRecorder(owner: Owner) {
  const [name, setName] = useState(defaultName)
  const [recorder] = useState(() => new Recorder(owner, name))
  useEffect(() => {
    void recorder.start()
    return () => recorder.close()
  }, [recorder])
  function rename(next: string) {
    setName(next)
    recorder.rename(next.trim() || defaultName())
  }
  return { recorder, name, rename, state: useSignal(recorder.state) }
}

/**
 * Records from the microphone. The recording is added to the tray like any file, and stored here until ordered. Longer
 * than most: each state has its own content.
 */
export function RecorderDialog({ owner, onClose }: Props) {
  const { recorder, name, rename, state } = useRecorder(owner)
  const hasSound = state.is === 'recording' || state.is === 'paused'

  async function add() {
    const { file, recordedMs } = await recorder.finish()
    addFilesToTray(owner, [{ file, handle: null, recordedMs }])
    await uploadStorage.save()
    recorder.discard()
    announce('Recording added')
    onClose()
  }

  function close() {
    if (hasSound && state.recordedMs >= worthAskingMs && !window.confirm('Discard this recording?')) return
    recorder.discard()
    onClose()
  }

  return (
    <Dialog
      open
      onClose={close}
      title="Record now"
      description="Stored on this device until you order it."
      actions={
        hasSound && <RecorderActions recorder={recorder} isPaused={state.is === 'paused'} onAdd={() => void add()} />
      }
    >
      {state.is === 'refused' && <Refusal words={state.words} onRetry={() => void recorder.start()} />}
      {state.is === 'asking' && <p className="text-ink-2">The browser asks for the microphone…</p>}
      {hasSound && (
        <>
          <Level state={state} />
          <Field label="Name" value={name} maxLength={120} onChange={(event) => rename(event.target.value)} />
        </>
      )}
    </Dialog>
  )
}

type ActionProps = { recorder: Recorder; isPaused: boolean; onAdd: () => void }

function RecorderActions({ recorder, isPaused, onAdd }: ActionProps) {
  return (
    <>
      <Button onClick={() => recorder.toggle()}>
        {isPaused ? <Mic aria-hidden /> : <Pause aria-hidden />} {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <Button variant="primary" onClick={onAdd}>
        Add to order
      </Button>
    </>
  )
}

function Refusal({ words, onRetry }: { words: string; onRetry: () => void }) {
  const retry = (
    <Button size="sm" onClick={onRetry}>
      Try again
    </Button>
  )
  return (
    <Notice tone="bad" action={retry}>
      {words}
    </Notice>
  )
}

function Level({ state }: { state: RecorderState & { is: 'recording' | 'paused' } }) {
  return (
    <div className="flex items-center gap-4 rounded-md bg-sunken px-4 py-3">
      <span
        aria-hidden
        className={`size-2.5 rounded-full ${state.is === 'paused' ? 'bg-ink-3' : 'animate-breathe bg-bad'}`}
      />
      <span role="timer" aria-label="Recorded" className="w-14 text-md font-semibold tabular-nums">
        {clockText(Math.floor(state.recordedMs / 1_000))}
      </span>
      <LevelMeter level={state.level} />
    </div>
  )
}

/** The current level, as a row of bars. `level` is 0 to 1. */
function LevelMeter({ level }: { level: number }) {
  return (
    <span aria-hidden className="flex h-6 flex-1 items-center gap-0.5">
      {Array.from({ length: barCount }, (_, index) => (
        <span
          key={index}
          className={`h-full flex-1 rounded-full ${index / barCount < level ? (index > barCount * 0.9 ? 'bg-bad' : 'bg-accent') : 'bg-line-strong'}`}
        />
      ))}
    </span>
  )
}
