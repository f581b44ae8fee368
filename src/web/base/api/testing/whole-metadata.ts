import type { FileMetadata } from '../../../../contract/interface/metadata.ts'
import { specDefaultOptions } from '../../../../contract/interface/option-values.ts'

/** For tests: metadata with every field set, to something other than an unknown value. */
export const wholeMetadata: FileMetadata = {
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
}
