import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountOverview } from '../../../contract/account/account.ts'
import type { Project } from '../../../contract/account/projects.ts'
import type { Session } from '../../base/api/client.ts'
import { projects } from '../../base/api/projects.ts'
import type { Agreement, Upload } from '../../signed-in/uploads/tray/upload.ts'
import type { PricedUpload } from './priced-tray.ts'
import { type OverBudget, overBudgets } from './project-choice.ts'

/** The projects of the tray's uploads. */
export type OrderProjects = {
  offered: boolean
  /** null: loading */
  known: readonly Project[] | null
  /** the whole tray's project, by id */
  drafted: string | null
  /** the project of one upload; null if it has none, or it was deleted */
  of: (upload: Upload) => Project | null
  over: readonly OverBudget[]
  isAgreed: boolean
  agree: (isAgreed: boolean) => void
  /** in the form of an upload's agreement */
  agreedOf: (upload: Upload) => NonNullable<Agreement['project']> | null
}

/** @param drafted the project of the whole tray, by its id */
export function useOrderProjects(
  session: Session,
  overview: AccountOverview | null | undefined,
  drafted: string | null,
  tray: { ready: readonly PricedUpload[]; submitted: readonly Upload[]; linkCents: number | null },
): OrderProjects {
  const offered = overview?.features.projects === true
  const { data = null } = useQuery({ ...projects.list(session), enabled: offered })
  const [agreedTo, setAgreedTo] = useState<readonly string[]>([])
  const of = (upload: Upload) => {
    const id = upload.project === undefined ? drafted : upload.project
    return data?.find((project) => project.id === id) ?? null
  }
  const over = overBudgets(tray.ready, tray.submitted, of, tray.linkCents)
  // The agreement covers these totals: one more file asks again.
  const sums = over.map(({ project, cents }) => `${project.id} ${cents}`)
  const isAgreed = sums.every((sum) => agreedTo.includes(sum))
  return {
    offered,
    known: data,
    drafted,
    of,
    over,
    isAgreed,
    agree: (wanted) => setAgreedTo(wanted ? sums : []),
    agreedOf: (upload) => {
      const project = of(upload)
      if (project === null) return null
      const overBudget = isAgreed && over.some((one) => one.project.id === project.id)
      return { id: project.id, name: project.name, overBudget }
    },
  }
}
