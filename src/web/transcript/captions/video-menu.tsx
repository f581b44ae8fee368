import { Film } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import { nameRules } from '../../../formats/captions/caption-rules.ts'
import { cancelCaptionedVideo, fetchCaptionedVideo, type VideoProgress } from '../../base/api/captioned-video.ts'
import type { Session } from '../../base/api/client.ts'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { Menu, MenuGroup, MenuItem } from '../../base/ui/menu.tsx'
import { saveFile } from '../../base/ui/save-file.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { Corrections } from '../edit/corrections.ts'

type Props = {
  session: Session
  id: string
  rules: CaptionRules
  corrections: Corrections
}

/**
 * Saves the recording as a video with its captions, made by the service, and shows its progress. One that is left is
 * still made, and found by the same choice later.
 */
export function VideoMenu({ session, id, rules, corrections }: Props) {
  const isSent = useSignal(corrections.where).kind === 'kept'
  const [progress, setProgress] = useState<VideoProgress | null>(null)
  const making = useRef<AbortController | null>(null)
  useEffect(() => () => making.current?.abort(), [])
  const make = async (captions: 'soft' | 'burnt') => {
    making.current = new AbortController()
    const { signal } = making.current
    setProgress({ making: '', share: 0 })
    try {
      const { content, name } = await fetchCaptionedVideo(session, { id, captions, signal }, setProgress)
      saveFile(content, name)
      showToast({ title: `Saved ${name}` })
    } catch (error) {
      if (!signal.aborted) showToast({ tone: 'bad', title: 'No video was made', detail: (error as Error).message })
    }
    setProgress(null)
  }
  const cancel = () => {
    making.current?.abort()
    // If it fails, the video is made and kept for a day.
    if (progress?.making) cancelCaptionedVideo(session, id, progress.making).catch(() => undefined)
  }
  if (progress !== null) {
    const percent = `${Math.floor(progress.share * 100)}%`
    return (
      <span className="flex items-center gap-2">
        <span role="status" className="text-sm whitespace-nowrap text-ink-2 tabular-nums">
          {progress.making === null ? `${percent} loaded` : `Making the video: ${percent}`}
        </span>
        <Button size="sm" onClick={cancel}>
          Cancel
        </Button>
      </span>
    )
  }
  return (
    <Menu
      align="end"
      trigger={
        <Button size="sm" disabled={!isSent}>
          <Film aria-hidden /> <span className="phone:sr-only">Video</span>
        </Button>
      }
    >
      <MenuGroup label={`The video with captions · ${nameRules(rules)}`}>
        <MenuItem onSelect={() => void make('soft')} note="can be hidden">
          Captions as a track
        </MenuItem>
        <MenuItem onSelect={() => void make('burnt')} note="takes long">
          Captions on the picture
        </MenuItem>
      </MenuGroup>
    </Menu>
  )
}
