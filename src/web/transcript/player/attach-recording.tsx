import { FileAudio } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Playback } from '../../../contract/account/file-pages.ts'
import { Button } from '../../base/ui/button.tsx'
import { clockText } from '../../base/ui/duration.ts'
import { sizeText } from '../../base/ui/sizes.ts'
import { findMismatch, type Mismatch } from './match-recording.ts'
import { canStoreHandles, loadStoredFile, pickAndStore } from './recording-handles.ts'

export type AttachProps = {
  /** storage key of this transcript */
  document: string
  name: string
  seconds: number
  bytes: number
  /** why the service cannot play it although it should */
  problem: string | null
  /** of its listening copy, which browsers can play */
  copy?: Playback['copy']
  onAttach: (file: File) => void
}

type Props = AttachProps & { failed: boolean }

/** For services without playback: lets the user pick the recording on this device, and checks it against the order. */
export function AttachRecording({ failed, document, name, seconds, bytes, problem, copy, onAttach }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [doubt, setDoubt] = useState<{ file: File; mismatch: Mismatch } | null>(null)
  const attach = (file: File | undefined) => {
    if (file === undefined) return
    const mismatch = findMismatch(file, { name, bytes })
    if (mismatch === null) onAttach(file)
    else setDoubt({ file, mismatch })
  }
  const pick = async () => {
    if (!canStoreHandles()) return input.current?.click()
    // Picked before: the browser only asks for permission to read the same file again.
    const isOther = failed || doubt !== null
    attach((isOther ? null : await loadStoredFile(document, true)) ?? (await pickAndStore(document)) ?? undefined)
  }
  return (
    <section
      aria-label="Player"
      className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-surface px-5 py-2 phone:px-4"
    >
      <p role="status" className="min-w-0 flex-1 text-ink-2 phone:basis-full">
        {doubt !== null
          ? `${doubt.mismatch} Use it anyway?`
          : requestText({ failed, name, seconds, bytes, problem, copy })}
      </p>
      {doubt !== null && <Button onClick={() => onAttach(doubt.file)}>Use it</Button>}
      <Button onClick={() => void pick()}>
        <FileAudio aria-hidden /> Attach the recording
      </Button>
      <input
        ref={input}
        type="file"
        accept="audio/*,video/*"
        aria-label="Recording"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => attach(event.target.files?.[0])}
      />
    </section>
  )
}

/** Offline nothing is known of the service's recording: the text asks for one only as a way to listen now. */
function requestText({ failed, name, seconds, bytes, problem, copy }: Omit<Props, 'document' | 'onAttach'>): string {
  if (failed) return `This browser cannot play this recording. ${copyText(copy)}`
  const wanted = `${name}, ${clockText(seconds)}, ${sizeText(bytes)}`
  const why = problem === null ? '' : `${problem} `
  if (!navigator.onLine)
    return `${why}The recording comes once it is back. To listen now, choose ${wanted} on this device.`
  return `${why}To listen, choose the recording on this device: ${wanted}. It is not uploaded.`
}

function copyText(copy: Playback['copy']): string {
  if (copy === 'coming') return 'A copy that it can play is being made.'
  if (copy === 'no-room') return 'The service had no room on its disk for a copy that it can play.'
  return 'A copy in another format may work.'
}
