import { useSignal } from '../../../base/state/signal.ts'
import { Later, laterPart } from '../../../base/ui/later.tsx'
import { doubtKeys } from '../../desk/page-keys.ts'
import type { Feature, OpenPage } from '../feature.ts'

const DoubtBar = laterPart(async () => (await import('../doubt-bar.tsx')).DoubtBar)

/** Steps through the words that the service is unsure of. */
export const doubts: Feature = { name: 'doubts', Bar, keys: (page) => doubtKeys(page.doubts) }

function Bar(page: OpenPage) {
  const doubting = useSignal(page.doubts.current) !== null
  return (
    <Later wanted={doubting}>
      <DoubtBar {...page} />
    </Later>
  )
}
