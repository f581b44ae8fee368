import './transcript.css'
import { useQuery } from '@tanstack/react-query'
import { FileX } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Link, type LoaderFunctionArgs, useParams, useRouteError } from 'react-router'
import { ApiError } from '../api/client.ts'
import { files } from '../api/files.ts'
import { queryClient } from '../api/query-client.ts'
import { liveOf } from '../library/live.ts'
import { requireSession, useSession } from '../session/session.ts'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageFailure } from '../ui/page-failure.tsx'
import { TranscriptPage } from './transcript-page.tsx'

/** How often a file in progress is asked for where no event tells of it. Milliseconds. */
const pollMs = 5_000

export async function loader({ params, request }: LoaderFunctionArgs): Promise<null> {
  await queryClient.query(files.one(requireSession(params, request), params.id ?? ''))
  return null
}

/** One transcript: `/:environment/files/:id`. */
export function Component() {
  const session = useSession()
  const { id = '' } = useParams()
  const { data: record } = useQuery({
    ...files.one(session, id),
    refetchInterval: ({ state }) => (state.data?.percent === 100 ? false : pollMs),
  })
  const { library } = liveOf(session)
  // A HEAD answer does not tell when the transcript was ready (spec 2.2); the list does where the service offers pages.
  const listedReadyAt = useSyncExternalStore(
    library.snapshot.subscribe,
    () => library.row(id)?.record?.readyAt ?? Number.NaN,
  )
  if (record === undefined) return null
  const readyAt = Number.isFinite(record.readyAt) ? record.readyAt : listedReadyAt
  return <TranscriptPage key={id} session={session} record={{ ...record, readyAt }} />
}

/** A file that is gone says so; everything else is the page's common error. */
export function ErrorBoundary() {
  const error = useRouteError()
  if (!(error instanceof ApiError)) return <PageFailure message={null} />
  if (error.status !== 404) return <PageFailure message={error.message} />
  return (
    <EmptyState
      icon={<FileX aria-hidden />}
      title="This file is not there"
      actions={
        <Link to="/" className={buttonClass('secondary')}>
          Go to your files
        </Link>
      }
    >
      It was deleted, it was removed after its 24 hours in the sandbox, or the link is wrong.
    </EmptyState>
  )
}
