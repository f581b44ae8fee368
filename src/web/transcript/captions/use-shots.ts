import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import { toCaptionMs } from '../../../formats/captions/caption-rules.ts'
import { shotsQuery } from '../../base/api/captioned-video.ts'
import type { Session } from '../../base/api/client.ts'

/** The shot changes of a video: `finding` while the service looks for them. */
export type ShotChanges = { shots: readonly number[]; isFinding: boolean }

const none: ShotChanges = { shots: [], isFinding: false }

/** When shots of a video begin, at the times of its captions, in milliseconds. */
export function useShots(session: Session, id: string, isVideo: boolean, rules: CaptionRules): ShotChanges {
  const { data } = useQuery({ ...shotsQuery(session, id), enabled: isVideo })
  const { timing } = rules
  return useMemo(() => {
    if (data === undefined) return none
    if (data === null) return { shots: [], isFinding: true }
    return { shots: data.map((ms) => toCaptionMs(ms / 1_000, { timing })), isFinding: false }
  }, [data, timing])
}
