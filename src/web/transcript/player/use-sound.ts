import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Playback as Granted } from '../../../contract/account/file-pages.ts'
import type { Session } from '../../base/api/client.ts'
import { files } from '../../base/api/files.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { AttachProps } from './attach-recording.tsx'
import { readLoudness } from './bars.ts'
import { findLengthProblem } from './match-recording.ts'
import { connectMediaSession } from './media-session.ts'
import type { Playback } from './playback.ts'
import { loadStoredFile } from './recording-handles.ts'

/** Delay before the waveform is requested again. Milliseconds. */
const firstPeaksMs = 2_000
/** How long after its order a file may be ready but not yet have a waveform. Milliseconds. */
const newFileMs = 10 * 60_000

/** How often a recording is asked for its listening copy while that is being made. Milliseconds. */
const copyPollMs = 5_000

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
  const {
    data: link,
    error,
    isPending,
  } = useQuery({
    ...files.playback(session, id),
    refetchInterval: ({ state }) => isEarly && state.data?.copy === 'coming' && copyPollMs,
  })
  useEffect(
    () => (isPending ? undefined : openSound(playback, link ?? null, document)),
    [playback, document, link, isPending],
  )
  useEffect(() => warnOfLength(playback, seconds), [playback, seconds])
  useEffect(() => connectMediaSession(playback, name), [playback, name])
  const wanted = { document, name, seconds, bytes: Number(bytes), copy: link?.copy }
  return { peaks, attach: { ...wanted, problem: error?.message ?? null, onAttach: (file) => playback.openFile(file) } }
}

/** Warns once of each recording whose length is not the service's, which its words' times are of. */
function warnOfLength(playback: Playback, orderSeconds: number): () => void {
  let warnedOf = Number.NaN
  return playback.state.subscribe(() => {
    const state = playback.state.get()
    const problem = state.status === 'ready' ? findLengthProblem(state, orderSeconds) : null
    if (problem === null || state.durationSeconds === warnedOf) return
    warnedOf = state.durationSeconds
    showToast({ ...problem, tone: 'bad' })
  })
}

/**
 * Opens the service's recording in the player, else the one attached on this device earlier, if the browser still
 * allows reading it. Returns a function that stops.
 */
function openSound(playback: Playback, link: Granted | null, document: string): () => void {
  let isStopped = false
  const isWanted = () => !isStopped && playback.state.get().source === null
  const isCopy = link?.copy === 'made'
  // A copy made since the page was opened replaces a recording that failed, or that nobody has listened to.
  const isUnheard = playback.state.get().status === 'failed' || playback.media.played.length === 0
  if (link !== null && (isWanted() || (isCopy && isUnheard && playback.state.get().source === 'service'))) {
    playback.openUrl(link.url, isCopy && link.media_kind === 'video' ? (link.original ?? null) : null)
  } else if (isWanted()) {
    void loadStoredFile(document, false).then((file) => {
      if (file !== null && isWanted()) playback.openFile(file)
    })
  }
  return () => {
    isStopped = true
  }
}
