import type { FileEntry } from '../../../contract/account-pages.ts'
import { specDefaultOptions } from '../../../contract/option-values.ts'

/** For tests: an entry of a page that says all there is to say, of each field something else than an unknown value. */
export const wholeEntry: FileEntry = {
  id: 'f1',
  version: 7,
  media_kind: 'video',
  ready: '2026-11-20T09:00:00.000Z',
  expires: '2026-11-22T09:00:00.000Z',
  delete_when_ready: true,
  metadata: {
    name: 'Талк “über” 🎙',
    created: '2026-11-18T09:12:00.000Z',
    seconds: '6128.5',
    bytes: '412000000',
    cost: '141.78',
    discount: '14.18',
    total: 127.6,
    transaction_id: 'fsskm2',
    refund_amount: '0.00',
    currency: 'USD',
    delivery: '2026-11-21T09:12:00.000Z',
    delay_reason: 'poor audio',
    duplicates: ['a', 'b'],
    options: { ...specDefaultOptions, speaker_names: ['Ada Obi'] },
    progress_percent: 40,
  },
}
