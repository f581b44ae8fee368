import type { FileEntry } from '../../../../contract/account/file-pages.ts'
import { wholeMetadata } from '../../../base/api/testing/whole-metadata.ts'

/** For tests: a page entry with all fields set, each to something other than an unknown value. */
export const wholeEntry: FileEntry = {
  id: 'f1',
  version: 7,
  media_kind: 'video',
  ready: '2026-11-20T09:00:00.000Z',
  expires: '2026-11-22T09:00:00.000Z',
  delete_when_ready: true,
  corrections: 3,
  review: 'in_review',
  readable_seconds: 57,
  project: 'p1',
  batch: 'b1',
  metadata: wholeMetadata,
}
