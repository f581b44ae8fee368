import { OrderFacts } from '../../panel/order-facts.tsx'
import { ReadingControls } from '../../panel/reading-controls.tsx'
import { SpeakerShares } from '../../panel/speaker-shares.tsx'
import type { Feature } from '../feature.ts'
import { captionReport, captions } from './captions.tsx'
import { corrections, vocabulary } from './corrections.tsx'
import { doubts } from './doubts.tsx'
import { downloads } from './downloads.tsx'
import { find } from './find.ts'
import { reReview } from './re-review.tsx'
import { review } from './review.tsx'
import { text } from './text.tsx'
import { typing } from './typing.tsx'

const speakers: Feature = {
  name: 'speakers',
  Panel: ({ desk, correcting, ready }) => <SpeakerShares desk={desk} correcting={ready ? correcting : null} />,
}

/** All features of the transcript page, in the order of its sections, bars and effects. */
export const features: readonly Feature[] = [
  text,
  find,
  speakers,
  { name: 'reading', Panel: ReadingControls },
  downloads,
  doubts,
  corrections,
  vocabulary,
  captions,
  review,
  reReview,
  captionReport,
  { name: 'order', Panel: OrderFacts },
  typing,
]
