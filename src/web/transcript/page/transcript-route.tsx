import './transcript.css'
import { FileX } from 'lucide-react'
import { useState } from 'react'
import { Link, useLoaderData, useParams, useRevalidator, useRouteError } from 'react-router'
import { ApiError } from '../../base/api/client.ts'
import { buttonClass } from '../../base/ui/button.tsx'
import { EmptyState, PageFailure } from '../../base/ui/empty-state.tsx'
import { useRetryOnline } from '../../base/ui/use-online.ts'
import { useFile } from '../../signed-in/library/use-file.ts'
import { useSession } from '../../signed-in/session/session.ts'
import type { loader } from './transcript-loader.ts'
import { TranscriptPage } from './transcript-page.tsx'

/** One transcript: `/:environment/files/:id`. */
export function Component() {
  const session = useSession()
  const { id = '' } = useParams()
  const ahead = useLoaderData<typeof loader>()
  const { record, error } = useFile(id)
  const [last, setLast] = useState(record)
  if (record !== null && record !== last) setLast(record)
  // A file that is deleted elsewhere stays open here: somebody may be typing in it.
  const shown = record ?? (last?.id === id ? last : null)
  if (shown === null) return error === null ? null : <FileFailure error={error} />
  const isDeleted = record === null && error instanceof ApiError && error.status === 404
  return <TranscriptPage key={id} session={session} record={shown} isDeleted={isDeleted} ahead={ahead} />
}

/** Shown if the loader could not load the file. */
export function ErrorBoundary() {
  return <FileFailure error={useRouteError()} />
}

/** Reports a deleted file; all other errors get the page's common error. */
function FileFailure({ error }: { error: unknown }) {
  const { revalidate } = useRevalidator()
  useRetryOnline(error instanceof ApiError && error.status !== 404, () => void revalidate())
  if (!(error instanceof ApiError)) return <PageFailure message={null} />
  if (error.status !== 404) return <PageFailure message={error.message} />
  return (
    <EmptyState
      icon={<FileX aria-hidden />}
      title="File not found"
      actions={
        <Link to="/" className={buttonClass('secondary')}>
          Go to your files
        </Link>
      }
    >
      It was deleted, it was removed after 24 hours in the sandbox, or the link is wrong.
    </EmptyState>
  )
}
