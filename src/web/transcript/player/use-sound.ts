import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Session } from '../../base/api/client.ts'
import { files } from '../../base/api/files.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { AttachProps } from './attach-recording.tsx'
import { readLoudness } from './bars.ts'
import { lengthFits } from './match-recording.ts'
import { connectMediaSession } from './media-session.ts'
import type { Playback } from './playback.ts'
import { loadStoredFile } from './recording-handles.ts'

/** Delay before the waveform is requested again. Milliseconds. */
const firstPeaksMs = 2_000
/** How long after its order a file may be ready but not yet have a waveform. Milliseconds. */
const newFileMs = 10 * 60_000

/** Loads a file's sound and waveform into the player while its page is open, and connects the media keys. */
export function useSound(
  playback: Playback,
  session: Session,
  record: FileRecord,
): { peaks: Float32Array | null; attach: AttachProps } {
  const { id, seconds } = record
  const { name, bytes } = record.metadata
  // A new file has no waveform yet, and a short one is ready before it has: retried with backoff.
  const [isEarly] = useState(() => record.percent < 100 || Date.now() - record.createdAt < newFileMs)
  const { data: peaks = null } = useQuery({
    ...files.peaks(session, id),
    select: readLoudness,
    refetchInterval: ({ state }) => isEarly && state.data === null && firstPeaksMs * state.dataUpdateCount,
  })
  const document = JSON.stringify([session.environment, session.account, id])
  const { data: link, error, isPending } = useQuery(files.playback(session, id))
  useEffect(
    () => (isPending ? undefined : openSound(playback, link?.url, document)),
    [playback, document, link, isPending],
  )
  useEffect(() => connectMediaSession(playback, name), [playback, name])
  const onAttach = (file: File) => {
    playback.openFile(file)
    const stop = playback.state.subscribe(() => {
      const { status, durationSeconds } = playback.state.get()
      if (status === 'loading') return
      stop()
      if (status !== 'ready' || lengthFits(durationSeconds, seconds)) return
      showToast({
        title: 'This may be a different recording',
        detail: 'Its length does not match the order.',
        tone: 'bad',
      })
    })
  }
  const wanted = { document, name, seconds, bytes: Number(bytes) }
  return { peaks, attach: { ...wanted, problem: error?.message ?? null, onAttach } }
}

/**
 * Opens the service's recording in the player, else the one attached on this device earlier, if the browser still
 * allows reading it. Returns a function that stops.
 */
function openSound(playback: Playback, url: string | undefined, document: string): () => void {
  let isStopped = false
  const isWanted = () => !isStopped && playback.state.get().source === null
  if (url !== undefined && isWanted()) playback.openUrl(url)
  else if (isWanted()) {
    void loadStoredFile(document, false).then((file) => {
      if (file !== null && isWanted()) playback.openFile(file)
    })
  }
  return () => {
    isStopped = true
  }
}
