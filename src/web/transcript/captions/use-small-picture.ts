import { useEffect, useState } from 'react'
import { fetchSmallPicture } from '../../base/api/captioned-video.ts'
import type { Session } from '../../base/api/client.ts'
import { useSignal } from '../../base/state/signal.ts'
import type { Playback } from '../player/playback.ts'

/**
 * Has the service make a small picture of a video that this browser cannot show, and shows it.
 * @returns what to say in its place; null if there is nothing to say
 */
export function useSmallPicture(playback: Playback, session: Session, id: string, isVideo: boolean): string | null {
  const { lacksPicture, source } = useSignal(playback.state)
  const [words, setWords] = useState<string | null>(null)
  const isWanted = isVideo && lacksPicture && source !== 'attached'
  useEffect(() => {
    if (!isWanted) return
    const stop = new AbortController()
    const onPercent = (percent: number) => setWords(`Making a picture that this browser can show: ${percent}%`)
    const show = async () => {
      const url = await fetchSmallPicture(session, id, stop.signal, onPercent)
      setWords(null)
      if (url !== null) await playback.showPicture(url)
    }
    show().catch((error: Error) => stop.signal.aborted || setWords(error.message))
    return () => stop.abort()
  }, [isWanted, playback, session, id])
  return isWanted ? words : null
}
