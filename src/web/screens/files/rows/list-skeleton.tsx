import { Skeleton } from '../../../base/ui/skeleton.tsx'

/** A placeholder of the list, before anything is loaded. */
export function ListSkeleton() {
  return (
    <div role="status" aria-label="Loading files" className="rounded-lg border border-line bg-surface">
      <div className="h-9" />
      {Array.from({ length: 8 }, (_, index) => (
        <div key={`row ${index + 1}`} className="flex h-[52px] items-center gap-8 border-t border-line px-12">
          <span className="grid gap-2">
            <Skeleton className="h-3 w-56 phone:w-32" />
            <Skeleton className="h-2.5 w-28" />
          </span>
          <Skeleton className="ml-auto h-3 w-14" />
          <Skeleton className="h-3 w-24 phone:hidden" />
          <Skeleton className="h-3 w-28 phone:hidden" />
        </div>
      ))}
    </div>
  )
}
