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
  const observer = new QueryObserver(queryClient, { ...files.playback(session, id), notifyOnChangeProps: ['data'] })
  let isStopped = false
  const open = async (link: PlaybackLink | null | undefined) => {
    const isWanted = () => !isStopped && playback.state.get().source === null
    if (link === undefined || !isWanted()) return
    if (link !== null) return playback.openUrl(link.url)
    const file = await loadStoredFile(recordingKey(session, id), false)
    if (file !== null && isWanted()) playback.openFile(file)
  }
  void open(observer.getCurrentResult().data)
  const stop = observer.subscribe(({ data }) => void open(data))
  return () => {
    isStopped = true
    stop()
  }
}
