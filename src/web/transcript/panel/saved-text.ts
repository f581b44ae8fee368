import type { Dates } from '../../base/ui/dates.ts'
import { formatCount } from '../../base/ui/sizes.ts'
import type { CorrectionPlace, CorrectionState } from '../edit/corrections.ts'

/** `3 corrections · saved 14:02`, or that the account does not have all of them. */
export function savedText(state: CorrectionState, place: CorrectionPlace, dates: Dates): string {
  if (state.saved === 'saving') return 'Saving…'
  if (state.saved === 'failed') return 'Not saved: this browser has no storage space left'
  const isUnsent = place.kind === 'waiting' && place.isUnsent
  if (state.count === 0) return isUnsent ? 'On this device, not sent yet' : 'No corrections yet'
  return `${formatCount(state.count, 'correction')} · ${isUnsent ? 'on this device, not sent yet' : timeText(state, place, dates)}`
}

/** The time is that of this device's last step; others' corrections have none here. */
function timeText({ savedAt }: CorrectionState, { kind }: CorrectionPlace, dates: Dates): string {
  if (kind === 'sending') return 'sending…'
  return savedAt > 0 ? `saved ${dates.time(savedAt)}` : 'saved'
}
