import { Film } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import { nameRules } from '../../../formats/captions/caption-rules.ts'
import { fetchCaptionedVideo } from '../../base/api/captioned-video.ts'
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

/** Saves the recording as a video with its captions, rendered by the service, and shows its progress. */
export function VideoMenu({ session, id, rules, corrections }: Props) {
  const isSent = useSignal(corrections.where).kind === 'kept'
  const [share, setShare] = useState<number | null>(null)
  const making = useRef<AbortController | null>(null)
  useEffect(() => () => making.current?.abort(), [])
  const make = async (captions: 'soft' | 'burnt') => {
    making.current = new AbortController()
    const { signal } = making.current
    setShare(0)
    try {
      const { content, name } = await fetchCaptionedVideo(session, { id, captions, signal }, setShare)
      saveFile(content, name)
      showToast({ title: `Saved ${name}` })
    } catch (error) {
      if (!signal.aborted) showToast({ tone: 'bad', title: 'No video was made', detail: (error as Error).message })
    }
    setShare(null)
  }
  if (share !== null) {
    return (
      <span className="flex items-center gap-2">
        <span role="status" className="text-sm whitespace-nowrap text-ink-2 tabular-nums">
          {share === 0 ? 'Making the video… Keep the captions open.' : `${Math.floor(share * 100)}% loaded`}
        </span>
        <Button size="sm" onClick={() => making.current?.abort()}>
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
