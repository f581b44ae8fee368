import type { ComponentType } from 'react'
import { useSignal } from '../../../base/state/signal.ts'
import { Later, laterPart } from '../../../base/ui/later.tsx'
import type { Feature, OpenPage } from '../feature.ts'

const load = () => import('../../panel/vocabulary-section.tsx')
const Section = whileUsed(laterPart(async () => (await load()).VocabularySection))
const Proposals = whileUsed(laterPart(async () => (await load()).ProposalsSection))
const Background = whileUsed(laterPart(async () => (await load()).VocabularyMarks))

/** Corrected names and terms, for later orders. A proposal is shown beside whatever is being done. */
export const vocabulary: Feature = {
  name: 'vocabulary',
  Read: Proposals,
  Edit: Section,
  Captions: Proposals,
  File: Proposals,
  Background,
}

/** A text without corrections has none by the vocabulary, and proposes nothing. */
function whileUsed(Part: ComponentType<OpenPage & { id: string }>) {
  return (page: OpenPage) => {
    const { count } = useSignal(page.corrections.state)
    return (
      <Later wanted={count > 0 || !page.ready}>
        <Part {...page} id={page.record.id} />
      </Later>
    )
  }
}
