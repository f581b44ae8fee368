import { useSignal } from '../../../base/state/signal.ts'
import { Later, laterPart } from '../../../base/ui/later.tsx'
import { ReadingControls } from '../../panel/reading-controls.tsx'
import { SpeakerShares } from '../../panel/speaker-shares.tsx'
import { type Feature, type OpenPage, panelDialog } from '../feature.ts'
import { captionReport, captions } from './captions.tsx'
import { corrections } from './corrections.tsx'
import { doubts } from './doubts.tsx'
import { downloads } from './downloads.tsx'
import { find } from './find.ts'
import { reReview } from './re-review.tsx'
import { review } from './review.tsx'
import { tasks } from './tasks.ts'
import { text } from './text.tsx'
import { typing } from './typing.tsx'
import { vocabulary } from './vocabulary.tsx'

const loadSpeakers = () => import('../../panel/speaker-menu.tsx')
const SpeakerMenu = laterPart(async () => (await loadSpeakers()).SpeakerMenu)
const OnlySpeaker = laterPart(async () => (await loadSpeakers()).OnlySpeaker)

const speakers: Feature = {
  name: 'speakers',
  Bar: ({ desk }) => (
    <Later wanted={useSignal(desk.only) !== null}>
      <OnlySpeaker desk={desk} />
    </Later>
  ),
  Overlay: (page) => (
    <Later wanted={useSignal(page.desk.speakerMenu) !== null}>
      <SpeakerMenu {...page} />
    </Later>
  ),
  Read: (page) => (
    <SpeakerShares desk={page.desk} correcting={page.ready ? page.correcting : null} onShow={() => showText(page)} />
  ),
}

const reading: Feature = {
  name: 'reading',
  Read: (page) => <ReadingControls {...page} onShow={() => showText(page)} />,
}

function showText(page: OpenPage): void {
  panelDialog(page).set(false)
}

const OrderFacts = laterPart(async () => (await import('../../panel/order-facts.tsx')).OrderFacts)

const order: Feature = {
  name: 'order',
  File: ({ record }) => (
    <Later wanted>
      <OrderFacts record={record} />
    </Later>
  ),
}

/** All features of the transcript page, in the order of its sections, bars and effects. */
export const features: readonly Feature[] = [
  text,
  find,
  speakers,
  reading,
  downloads,
  doubts,
  review,
  corrections,
  vocabulary,
  reReview,
  captions,
  captionReport,
  tasks,
  order,
  typing,
]
