import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { DeskPart } from '../../../contract/work/parts.ts'
import { fetchPartPeaks, fetchPartPlayback, work } from '../../base/api/work.ts'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { useIsPhone } from '../../base/ui/use-media.ts'
import { voicedBy } from '../../transcript/edit/find-voiced.ts'
import { PlayerBar } from '../../transcript/page/player-bar.tsx'
import { readLoudness } from '../../transcript/player/bars.ts'
import type { PartDesk } from './part-desk.ts'

/** The part's sound, or a notice that there is none. */
export function PartSound({ open, part }: { open: PartDesk; part: DeskPart }) {
  const { desk, held } = open
  const isPhone = useIsPhone()
  const key = [...work.all(held.session), 'sound', held.part, held.claim]
  const link = useQuery({ queryKey: [...key, 'playback'], queryFn: () => fetchPartPlayback(held), staleTime: Infinity })
  const { data: peaks = null } = useQuery({
    queryKey: [...key, 'peaks'],
    queryFn: () => fetchPartPeaks(held),
    select: readLoudness,
    staleTime: Infinity,
  })
  const { status } = useSignal(desk.playback.state)
  const url = link.data?.url
  useEffect(() => {
    if (url !== undefined) desk.playback.openUrl(url)
  }, [desk, url])
  const seconds = link.data?.seconds ?? part.part.end - part.part.start
  useEffect(() => {
    desk.voiced = peaks && voicedBy(peaks, seconds)
  }, [desk, peaks, seconds])
  const problem = link.error?.message ?? (link.isSuccess && url === undefined ? 'The sound is not there.' : null)
  if (status === 'none' || status === 'failed') {
    if (problem === null && status === 'none') return <div className="h-16 border-t border-line bg-surface low:h-12" />
    return (
      <div className="border-t border-line bg-surface px-5 py-3">
        <Notice tone="bad" action={<Button onClick={() => void link.refetch()}>Try again</Button>}>
          {problem ?? 'The sound cannot be played.'} Your text is safe. If it stays so, give the part back.
        </Notice>
      </div>
    )
  }
  // The player's fallback, a file on this device, is not for staff: it is only shown if there is no sound.
  const attach = { document: '', name: '', seconds: 0, bytes: 0, problem: null, onAttach: () => undefined }
  return <PlayerBar {...open} {...{ peaks, isPhone, attach }} durationSeconds={seconds} />
}
