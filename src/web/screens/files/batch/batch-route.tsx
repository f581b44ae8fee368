import { useCallback, useMemo } from 'react'
import { Link, useParams } from 'react-router'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import { useSignal } from '../../../base/state/signal.ts'
import { buttonClass } from '../../../base/ui/button.tsx'
import { EmptyState } from '../../../base/ui/empty-state.tsx'
import type { LibrarySnapshot } from '../../../signed-in/library/library-snapshot.ts'
import { useSession } from '../../../signed-in/session/session.ts'
import { isOfBatch, orderedIds } from '../../../signed-in/uploads/batch.ts'
import { areRestored } from '../../../signed-in/uploads/uploads.ts'
import { useUploads } from '../../../signed-in/uploads/use-uploads.ts'
import type { DownloadArchive } from '../download/download-all.tsx'
import { FilesPage } from '../files-route.tsx'
import { listByName } from '../list/list-state.ts'
import { BatchHead } from './batch-head.tsx'

/** A batch (`/:env/order/:batch`): what one press of "Upload and pay" ordered, from its uploads to its transcripts. */
export function Component() {
  const { batch = '' } = useParams()
  return <BatchPage key={batch} batch={batch} />
}

function BatchPage({ batch }: { batch: string }) {
  const session = useSession()
  const all = useUploads(session)
  const uploads = useMemo(() => all.filter((upload) => isOfBatch(upload, batch)), [all, batch])
  // A service that does not report batches: those that this tab has sent are known all the same.
  const idsKey = [...orderedIds(uploads)].join()
  const ids = useMemo(() => new Set(idsKey.split(',')), [idsKey])
  const has = useCallback((record: FileRecord) => record.batch === batch || ids.has(record.id), [batch, ids])
  const isUnknown = useSignal(areRestored) && uploads.length === 0
  const head = (snapshot: LibrarySnapshot, download: DownloadArchive) => (
    <BatchHead batch={batch} uploads={uploads} snapshot={snapshot} onDownload={download} />
  )
  const empty = isUnknown ? (
    <EmptyState
      title="This order has no files"
      actions={
        <Link to={`/${session.environment}/files`} className={buttonClass()}>
          All files
        </Link>
      }
    >
      They were deleted, or another device has sent none of them yet.
    </EmptyState>
  ) : null
  return <FilesPage of={{ has, head, empty, listsArchived: true, usual: listByName }} />
}
