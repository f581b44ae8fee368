import { ChevronDown, Film } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import { nameRules } from '../../../formats/captions/caption-rules.ts'
import type { Session } from '../../base/api/client.ts'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { Menu, MenuGroup, MenuItem } from '../../base/ui/menu.tsx'
import {
  cancelVideo,
  makeVideo,
  makingVideo,
  takeAwaitedVideo,
  videoWords,
} from '../../signed-in/uploads/making-video.ts'
import type { Corrections } from '../edit/corrections.ts'
import { untilKept } from '../edit/until-kept.ts'
import { untilRulesSet } from './set-rules.ts'

type Props = {
  session: Session
  id: string
  rules: CaptionRules
  corrections: Corrections
}

/** Saves the recording as a video with its captions, by default as a track that can be hidden, and shows its progress. */
export function VideoMenu({ session, id, rules, corrections }: Props) {
  const { kind } = useSignal(corrections.where)
  const video = useSignal(makingVideo)
  // What is being typed is sent by the press, which ends the typing.
  const untilReady = async (signal: AbortSignal) => {
    await untilKept(corrections, signal)
    await untilRulesSet()
  }
  const make = (captions: 'soft' | 'burnt') => void makeVideo(session, { id, captions }, untilReady)
  const goOn = useEffectEvent(() => {
    const awaited = takeAwaitedVideo(id)
    if (awaited !== null) make(awaited)
  })
  useEffect(() => goOn(), [])
  if (video?.id === id) {
    return (
      <span className="flex items-center gap-2">
        <span role="status" className="text-sm whitespace-nowrap text-ink-2 tabular-nums">
          {videoWords(video)}
        </span>
        <Button size="sm" onClick={() => cancelVideo(session, video)}>
          Cancel
        </Button>
      </span>
    )
  }
  const disabled = kind === 'waiting' || kind === 'device' || video !== null
  return (
    <span className="flex">
      <Button
        size="sm"
        className="rounded-r-none"
        disabled={disabled}
        aria-label="Video with captions as a track"
        onClick={() => make('soft')}
      >
        <Film aria-hidden /> <span className="phone:sr-only">Video</span>
      </Button>
      <Menu
        align="end"
        trigger={
          <Button
            size="sm"
            aria-label="Ways to caption the video"
            className="rounded-l-none border-l-0! px-1.5!"
            disabled={disabled}
          >
            <ChevronDown aria-hidden />
          </Button>
        }
      >
        <MenuGroup label={`The video with captions · ${nameRules(rules)}`}>
          <MenuItem onSelect={() => make('soft')} note="can be hidden">
            Captions as a track
          </MenuItem>
          <MenuItem onSelect={() => make('burnt')} note="takes long">
            Captions on the picture
          </MenuItem>
        </MenuGroup>
      </Menu>
    </span>
  )
}
