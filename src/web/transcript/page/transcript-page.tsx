import { useState } from 'react'
import type { Session } from '../../base/api/client.ts'
import { type FileRecord, isGivenUp } from '../../base/api/metadata-reader.ts'
import { Button } from '../../base/ui/button.tsx'
import { useIsPhone, useMedia } from '../../base/ui/use-media.ts'
import { preferences } from '../../signed-in/preferences/preferences.ts'
import { type OpenDesk, openDesk, openedFile } from '../desk/open-desk.ts'
import { usePageKeys } from '../desk/page-keys.ts'
import { copyText } from '../downloads/copy-text.ts'
import { WordsLoad } from '../model/words-load.ts'
import { useSound } from '../player/use-sound.ts'
import type { CaretPlace } from '../view/selection.ts'
import { type OpenPage, useCover } from './feature.ts'
import { features } from './features/features.tsx'
import { focusTools } from './features/typing.tsx'
import { InProgress } from './in-progress.tsx'
import { Parts } from './parts.tsx'
import { PlayerBar } from './player-bar.tsx'
import { Reader } from './reader.tsx'
import { TaskBar, TaskPanel } from './task-panel.tsx'
import { TextStates, WarningAbove } from './text-states.tsx'
import { TranscriptHeader } from './transcript-header.tsx'

/** The page to read, listen to, correct and download one transcript: its text, its player, and its features. */
export function TranscriptPage(opened: Pick<OpenPage, 'session' | 'record' | 'isDeleted' | 'ahead'>) {
  const [desk] = useState(() => openWithTools(opened))
  const page = { ...desk, ...opened, ready: opened.record.percent === 100 }
  const isPhone = useIsPhone()
  const narrow = useMedia('(width < 60rem)')
  const covering = useCover()
  usePageKeys(features.flatMap(({ keys }) => keys?.(page) ?? []))
  return (
    <div className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto_auto_auto]">
      <TranscriptHeader page={page} isPhone={isPhone} />
      <div className="relative flex min-h-0">
        <Text page={page} covering={covering} />
        <Parts at="Cover" page={page} only={covering} />
        {!narrow && covering === null && <TaskPanel page={page} />}
      </div>
      <div>
        <Parts at="Bar" page={page} />
      </div>
      {narrow && covering === null && <TaskBar page={page} />}
      <Player page={page} isPhone={isPhone} />
      <Parts at="Overlay" page={page} />
      <Parts at="Background" page={page} />
    </div>
  )
}

function openWithTools({ session, record }: { session: Session; record: FileRecord }): OpenDesk {
  const open = openDesk(openedFile(session, record), () => focusTools(open))
  open.desk.hasSpeakerMenu = true
  return open
}

function Text({ page, covering }: { page: OpenPage; covering: string | null }) {
  const { desk, correcting, session, record, ready } = page
  const onEdit = (block: number, word: number | null) => {
    desk.undoClick()
    correcting.begin(block, word)
  }
  const onClick = ({ block, offset }: CaretPlace, word: number | null) => {
    const plays = preferences.get().click === 'plays'
    if (word !== null) desk[plays ? 'playWord' : 'goToWord'](word)
    if (!plays) correcting.begin(block, null, offset)
  }
  const readAgain = () => desk.openFinished(new WordsLoad(session, record.id), record.metadata.options)
  return (
    <div className="text-column @container relative grid min-w-0 flex-1 grid-rows-[auto_minmax(0,1fr)]">
      <div>
        {!ready && <InProgress {...{ desk, session, record }} />}
        {page.isDeleted && <Deleted page={page} />}
        {/* No text comes any more. */}
        {!isGivenUp(record) && <TextStates desk={desk} inProgress={!ready} onAgain={readAgain} />}
      </div>
      <div inert={covering !== null} className="contents">
        <Reader desk={desk} onClick={onClick} onEdit={onEdit} />
      </div>
    </div>
  )
}

/** Deleted elsewhere: what is on the screen, typing included, is all that is left. */
function Deleted({ page: { desk, correcting } }: { page: OpenPage }) {
  const copy = () => {
    correcting.finish()
    window.getSelection()?.removeAllRanges()
    void copyText(desk)
  }
  return (
    <WarningAbove action={<Button onClick={copy}>Copy the text</Button>}>
      This file was deleted elsewhere. Its text, with what you typed, stays here until you leave this page.
    </WarningAbove>
  )
}

function Player({ page, isPhone }: { page: OpenPage; isPhone: boolean }) {
  const { desk, session, record } = page
  const sound = useSound(desk.playback, session, record)
  return <PlayerBar {...page} {...sound} durationSeconds={record.seconds} isPhone={isPhone} />
}
