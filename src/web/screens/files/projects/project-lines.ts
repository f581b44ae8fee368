import type { Project } from '../../../../contract/account/projects.ts'
import { type FileRecord, isGivenUp } from '../../../base/api/metadata-reader.ts'

/** A project with statistics of its files but archived ones, as its page lists them. Times in ms since 1970, lengths in seconds. */
export type ProjectLine = {
  project: Project
  files: number
  ready: number
  running: number
  seconds: number
  /** when the last of its files was ordered or became ready; without files, when it was created */
  changedAt: number
}

const finite = (value: number) => (Number.isFinite(value) ? value : 0)

/** One pass over all files, for all projects. */
export function projectLines(projects: readonly Project[], records: Iterable<FileRecord>): ProjectLine[] {
  const lines = new Map(
    projects.map((project) => {
      const changedAt = finite(Date.parse(project.created))
      return [project.id, { project, files: 0, ready: 0, running: 0, seconds: 0, changedAt }]
    }),
  )
  for (const record of records) {
    const line = lines.get(record.project ?? '')
    if (line === undefined) continue
    line.changedAt = Math.max(line.changedAt, finite(record.createdAt), finite(record.readyAt))
    if (record.labels?.archived) continue
    line.files += 1
    if (record.percent === 100) line.ready += 1
    else if (!isGivenUp(record)) line.running += 1
    line.seconds += finite(record.seconds)
  }
  return [...lines.values()]
}

const { compare } = new Intl.Collator('en', { numeric: true })

/** Sort keys of the table, with their initial directions. */
export const projectOrders = {
  name: { label: 'Project', first: 'ascending', compare: (a, b) => compare(a.project.name, b.project.name) },
  ready: { label: 'Ready', first: 'descending', compare: (a, b) => a.ready - b.ready },
  running: { label: 'Running', first: 'descending', compare: (a, b) => a.running - b.running },
  length: { label: 'Length', first: 'descending', compare: (a, b) => a.seconds - b.seconds },
  changed: { label: 'Last change', first: 'descending', compare: (a, b) => a.changedAt - b.changedAt },
} satisfies Record<
  string,
  {
    label: string
    first: 'ascending' | 'descending'
    compare: (a: ProjectLine, b: ProjectLine) => number
  }
>
export type ProjectOrder = keyof typeof projectOrders
