import type { Session } from '../../base/api/client.ts'
import { fetchPeaks } from '../../base/api/playback.ts'
import { voicedBy } from '../edit/find-voiced.ts'
import type { Voiced } from '../edit/retime.ts'
import { readLoudness } from './bars.ts'

/** Finds where somebody speaks by a file's whole waveform; null if there is none (yet). The page's overview is too coarse. */
export async function loadVoiced(session: Session, id: string, seconds: number): Promise<Voiced | null> {
  const heights = readLoudness(await fetchPeaks(session, id, true))
  return heights && voicedBy(heights, seconds)
}
