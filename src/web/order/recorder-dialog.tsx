import { Mic, Pause } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSignal } from '../state/signal.ts'
import { announce } from '../ui/announcer.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { clockText } from '../ui/duration.ts'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { addFilesToTray } from '../uploads/tray/add-to-tray.ts'
import type { Owner } from '../uploads/tray/upload.ts'
import { uploadStorage } from '../uploads/uploads.ts'
import { Recorder } from './recorder.ts'

const barCount = 28

function defaultName(): string {
  const now = new Date()
  const two = (value: number) => String(value).padStart(2, '0')
  return `Recording ${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())} ${two(now.getHours())}.${two(now.getMinutes())}`
}

/** Records from the microphone. The recording is added to the tray like any file, and stored here until it is ordered. */
export function RecorderDialog({ owner, onClose }: { owner: Owner; onClose: () => void }) {
  const [name, setName] = useState(defaultName)
  const [recorder] = useState(() => new Recorder(owner, name))
  const state = useSignal(recorder.state)
  const isPaused = state.is === 'paused'
  const hasSound = state.is === 'recording' || isPaused

  useEffect(() => {
    void recorder.start()
    return () => recorder.close()
  }, [recorder])

  function rename(next: string) {
    setName(next)
    recorder.rename(next.trim() || defaultName())
  }

  async function add() {
    const { file, recordedMs } = await recorder.finish()
    addFilesToTray(owner, [{ file, handle: null, recordedMs }])
    await uploadStorage.save()
    recorder.discard()
    announce('Recording added')
    onClose()
  }

  return (
    <Dialog
      open
      onClose={() => {
        if (hasSound && state.recordedMs >= 2_000 && !window.confirm('Throw this recording away?')) return
        recorder.discard()
        onClose()
      }}
      title="Record now"
      description="Kept on this device until it is ordered."
      actions={
        hasSound && (
          <>
            <Button onClick={() => recorder.toggle()}>
              {isPaused ? <Mic aria-hidden /> : <Pause aria-hidden />} {isPaused ? 'Go on' : 'Pause'}
            </Button>
            <Button variant="primary" onClick={() => void add()}>
              Add to the order
            </Button>
          </>
        )
      }
    >
      {state.is === 'refused' && (
        <Notice
          tone="bad"
          action={
            <Button size="sm" onClick={() => void recorder.start()}>
              Try again
            </Button>
          }
        >
          {state.words}
        </Notice>
      )}
      {state.is === 'asking' && <p className="text-ink-2">The browser asks for the microphone …</p>}
      {hasSound && (
        <>
          <div className="flex items-center gap-4 rounded-md bg-sunken px-4 py-3">
            <span aria-hidden className={`size-2.5 rounded-full ${isPaused ? 'bg-ink-3' : 'animate-breathe bg-bad'}`} />
            <span role="timer" aria-label="Recorded" className="w-14 text-md font-semibold tabular-nums">
              {clockText(Math.floor(state.recordedMs / 1_000))}
            </span>
            <LevelMeter level={state.level} />
          </div>
          <Field label="Name" value={name} maxLength={120} onChange={(event) => rename(event.target.value)} />
        </>
      )}
    </Dialog>
  )
}

/** The loudness at the moment, as a row of bars. `level` is 0 to 1. */
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
