import { QueryObserver } from '@tanstack/react-query'
import type { Playback as PlaybackLink } from '../../../contract/account-pages.ts'
import type { Session } from '../../api/client.ts'
import { files } from '../../api/files.ts'
import { queryClient } from '../../api/query-client.ts'
import type { Playback } from './playback.ts'
import { loadStoredFile } from './recording-handles.ts'

/** Key of a file's recording among those attached on this device. */
export function recordingKey({ environment, account }: Session, id: string): string {
  return JSON.stringify([environment, account, id])
}

/**
 * Opens the sound of a file in the player: the service's recording where it has playback, else the one attached on this
 * device before, where the browser still allows reading it.
 * @returns a function that stops
 */
export function openSound(playback: Playback, session: Session, id: string): () => void {
  const query = files.playback(session, id)
  const observer = new QueryObserver(queryClient, { ...query, notifyOnChangeProps: ['data', 'isError'] })
  let isStopped = false
  const open = async ({ data: link, isPending }: { data: PlaybackLink | null | undefined; isPending: boolean }) => {
    const isWanted = () => !isStopped && playback.state.get().source === null
    if (isPending || !isWanted()) return
    if (link) return playback.openUrl(link.url)
    const file = await loadStoredFile(recordingKey(session, id), false)
    if (file !== null && isWanted()) playback.openFile(file)
  }
  void open(observer.getCurrentResult())
  const stop = observer.subscribe((result) => void open(result))
  return () => {
    isStopped = true
    stop()
  }
}
