import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Session } from '../../api/client.ts'
import { files } from '../../api/files.ts'
import type { FileRecord } from '../../api/metadata-reader.ts'
import { fetchPeaks, fetchPlayback } from '../../api/playback.ts'
import { showToast } from '../../ui/toast.tsx'
import type { Desk } from '../desk/desk.ts'
import type { AttachProps } from './attach-recording.tsx'
import { loudnessOf } from './bars.ts'
import { keptFile } from './kept-handle.ts'
import { lengthFits } from './match-recording.ts'
import { connectMediaSession } from './media-session.ts'

/** Brings the sound to the desk: from the service where it plays, else from a file attached here. */
export function useSound(
  desk: Desk,
  session: Session,
  record: FileRecord,
): { peaks: Float32Array | null; attach: AttachProps } {
  const { id, seconds } = record
  const { name, bytes } = record.metadata
  const { data: link } = useQuery({
    queryKey: [...files.all(session), id, 'playback'] as const,
    queryFn: () => fetchPlayback(session, id),
    // The address is short-lived: it is good for this visit only.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const { data: peaks = null } = useQuery({
    queryKey: [...files.all(session), id, 'peaks'] as const,
    queryFn: async () => loudnessOf(await fetchPeaks(session, id)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => {
    desk.playback.renew = async () => (await fetchPlayback(session, id))?.url ?? null
    if (link != null) desk.playback.openUrl(link.url)
  }, [desk, session, id, link])
  const document = JSON.stringify([session.environment, session.account, id])
  useEffect(() => {
    if (link !== null) return
    let isLeft = false
    // The service plays nothing: the file that was attached before, where the browser still lets it be read.
    void keptFile(document, false).then((file) => {
      if (file !== null && !isLeft) desk.playback.openFile(file)
    })
    return () => {
      isLeft = true
    }
  }, [desk, document, link])
  useEffect(() => connectMediaSession(desk.playback, name), [desk, name])
  const onAttach = (file: File) => {
    desk.playback.openFile(file)
    const stop = desk.playback.state.subscribe(() => {
      const { status, durationSeconds } = desk.playback.state.get()
      if (status === 'loading') return
      stop()
      if (status !== 'ready' || lengthFits(durationSeconds, seconds)) return
      showToast({ title: 'This may be another recording', detail: 'Its length is not that of the order.', tone: 'bad' })
    })
  }
  return { peaks, attach: { document, name, seconds, bytes: Number(bytes), onAttach } }
}
