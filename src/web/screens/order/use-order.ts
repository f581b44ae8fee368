import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import type { AccountOverview } from '../../../contract/account/account.ts'
import type { Project } from '../../../contract/account/projects.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { orderQuery } from '../../../contract/interface/order-options.ts'
import { account, hasRight } from '../../base/api/account.ts'
import type { Session } from '../../base/api/client.ts'
import { projects } from '../../base/api/projects.ts'
import { useSignal } from '../../base/state/signal.ts'
import { announce } from '../../base/ui/announcer.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { learnBook, type PriceBook, type Quote, readPriceBook } from '../../signed-in/options/price-book.ts'
import { nameWithoutExtension } from '../../signed-in/uploads/queue/existing-file.ts'
import { removeFromTray } from '../../signed-in/uploads/tray/remove-from-tray.ts'
import type { Agreement, Upload } from '../../signed-in/uploads/tray/upload.ts'
import { queue, twinComparer } from '../../signed-in/uploads/uploads.ts'
import { useSubmittedSources, useTray } from '../../signed-in/uploads/use-uploads.ts'
import { type AccountHistory, useHistory } from './account-history.ts'
import { shownTopUp } from './how-paid.tsx'
import { type LinkLimit, useLinkLimit } from './link-limit.tsx'
import { optionsInForce, useOrderEdits } from './order-draft.ts'
import { type PricedUpload, priceTray, summarize, type TraySummary } from './priced-tray.ts'
import {
  type FolderPlan,
  folderWish,
  groupByFolder,
  type NearBudget,
  nearBudgets,
  planFolders,
} from './project-choice.ts'
import { shareFreeMinutes } from './share-free-minutes.ts'
import { useKnownFile } from './use-known-file.ts'

/** The tray of an account as it would be ordered now. */
export type Order = {
  /** undefined: loading; null: the service has no account interface */
  overview: AccountOverview | null | undefined
  history: AccountHistory
  /** options of the account, before any edits on the form */
  defaults: OrderOptions
  /** options of the whole tray */
  base: OrderOptions
  /** null: loading */
  book: PriceBook | null
  currency: string
  priced: readonly PricedUpload[]
  summary: TraySummary
  /** null: links have no price limit */
  linkLimit: LinkLimit | null
  projects: OrderProjects
  ordersDuplicates: boolean
  setOrdersDuplicates: (wanted: boolean) => void
  /** submits everything that can be ordered, in projects that were just made for some; returns the id of the batch */
  submit: (made: ReadonlyMap<string, Project>) => string
}

/** Prices the tray, and submits it. */
export function useOrder(session: Session): Order {
  const { data: overview } = useQuery(account.overview(session))
  const navigate = useNavigate()
  const tray = useTray(session)
  const submitted = useSubmittedSources(session)
  const drafted = useOrderEdits(session)
  const history = useHistory()
  const [ordersDuplicates, setOrdersDuplicates] = useState(false)
  const ownDefaults = overview?.default_options ?? null
  const typing = overview?.features.manual_typing
  const hasTypists = typing !== 'none' && typing !== 'off'
  const knownFile = useKnownFile(session, tray, history, overview !== undefined && overview !== null)
  const base = useMemo(() => {
    const { preset: _preset, project: _project, ...edits } = drafted
    return optionsInForce(ownDefaults, hasTypists ? {} : automated, edits)
  }, [ownDefaults, hasTypists, drafted])
  const book = useMemo(() => bookFor(overview, history), [overview, history])
  const comparisons = useSignal(twinComparer.results)
  const priced = useMemo(() => {
    const rows = priceTray(tray, submitted, base, book, knownFile, ordersDuplicates, comparisons)
    return shareFreeMinutes(rows, submitted, book)
  }, [tray, submitted, base, book, knownFile, ordersDuplicates, comparisons])
  const summary = useMemo(() => summarize(priced), [priced])
  const defaults = optionsInForce(ownDefaults)
  const currency = book?.currency ?? ''
  const linkLimit = useLinkLimit(book, base)
  const linkCents = linkLimit?.cents ?? null
  const toOrder = { ready: summary.ready, submitted, linkCents }
  // A key that is limited to projects orders into the first of them, unless another is chosen.
  const ownProject = overview?.key_limits?.projects?.[0] ?? null
  const projects = useOrderProjects(session, overview, drafted.project ?? ownProject, { priced, ...toOrder })
  const { balance } = overview ?? {}
  const maxTopUpCents = balance ? shownTopUp({ balance, summary, linkLimit }) : null
  const mayRepeat = ordersDuplicates || !overview
  const agreed = { defaults, currency, maxTopUpCents, mayRepeat, preset: drafted.preset ?? null }
  const submit: Order['submit'] = (made) => {
    const projectOf = (upload: Upload) => projects.agreedOf(upload, made)
    const batch = submitAll(summary.ready, { ...agreed, projectOf }, linkCents)
    if (summary.leftOut.length > 0) {
      const onUndo = () => void navigate(`/${session.environment}/order`)
      removeFromTray(summary.leftOut, { done: 'left out', undo: 'Show', onUndo })
    }
    return batch
  }
  const wishes = { ordersDuplicates, setOrdersDuplicates }
  return { overview, history, defaults, base, book, currency, priced, summary, linkLimit, projects, ...wishes, submit }
}

/** Without typists the page starts with automated; manual remains available, with a warning. */
const automated = { transcript_type: 'automated' } as const

function bookFor(overview: Order['overview'], history: AccountHistory): PriceBook | null {
  if (overview === undefined) return null
  return overview === null ? learnBook(history.records().map(({ metadata }) => metadata)) : readPriceBook(overview)
}

type Agreed = {
  maxTopUpCents: number | null
  defaults: OrderOptions
  currency: string
  /** duplicates are wanted, or the service cannot tell them */
  mayRepeat: boolean
  preset: string | null
  projectOf: (upload: Upload) => NonNullable<Agreement['project']> | null
}

function submitAll(
  ready: readonly PricedUpload[],
  { defaults, currency, maxTopUpCents, mayRepeat, projectOf, ...drafted }: Agreed,
  linkLimitCents: number | null,
): string {
  const at = Date.now()
  const batch = crypto.randomUUID()
  const nameOf = ({ name, bytes }: Upload) => `${bytes} ${nameWithoutExtension(name)}`
  const alike = Map.groupBy(ready, ({ upload }) => nameOf(upload))
  const agreements = new Map<string, Agreement>(
    ready.map(({ upload, options, price, freeMs }) => {
      const totalCents = price?.certainty === 'exact' ? price.cents : null
      const maxTotalCents = upload.source.kind === 'link' ? linkLimitCents : limitOf(price)
      const preset = upload.preset === undefined ? drafted.preset : upload.preset
      const query = orderQuery(options, defaults)
      return [
        upload.id,
        {
          options,
          query,
          totalCents,
          maxTotalCents,
          maxTopUpCents,
          mayRepeat,
          ...(freeMs !== undefined && { freeMs }),
          preset,
          project: projectOf(upload),
          sound: upload.sound ?? null,
          hasTwin: (alike.get(nameOf(upload)) ?? []).length > 1,
          batch,
          currency,
          at,
        },
      ]
    }),
  )
  queue.order(agreements)
  announce(`${formatCount(agreements.size, 'upload')} started`)
  return batch
}

/** The limit of a file: what the button says. Null for an estimate, in front of a service that may know no limits. */
function limitOf(price: Quote | null): number | null {
  return price === null || price.certainty === 'about' ? null : price.cents
}

/** The projects of the tray's uploads. */
type OrderProjects = {
  offered: boolean
  /** null: loading */
  known: readonly Project[] | null
  /** the whole tray's project, by id */
  drafted: string | null
  /** the project of one upload; null if it has none, or it was deleted */
  of: (upload: Upload) => Project | null
  /** dropped folders that are in none */
  folders: FolderPlan
  over: readonly NearBudget[]
  /** of their budgets 80 % or more would be used */
  near: readonly NearBudget[]
  isAgreed: boolean
  agree: (isAgreed: boolean) => void
  /** in the form of an upload's agreement */
  agreedOf: (upload: Upload, made: ReadonlyMap<string, Project>) => NonNullable<Agreement['project']> | null
}

/** @param drafted the project of the whole tray, by its id */
function useOrderProjects(
  session: Session,
  overview: AccountOverview | null | undefined,
  drafted: string | null,
  tray: {
    priced: readonly PricedUpload[]
    ready: readonly PricedUpload[]
    submitted: readonly Upload[]
    linkCents: number | null
  },
): OrderProjects {
  const offered = overview?.features.projects === true
  const { data = null } = useQuery({ ...projects.list(session), enabled: offered })
  const [agreedTo, setAgreedTo] = useState<readonly string[]>([])
  const of = (upload: Upload) => {
    const id = upload.project === undefined ? drafted : upload.project
    return data?.find((project) => project.id === id) ?? null
  }
  const mayOrder = hasRight(overview, 'order')
  const folders = planFolders(groupByFolder(tray.priced, of), mayOrder ? data : null, useSignal(folderWish))
  const budgets = nearBudgets(tray.ready, tray.submitted, of, tray.linkCents)
  const over = budgets.filter(({ isOver }) => isOver)
  // The agreement covers these totals: one more file asks again.
  const sums = over.map(({ project, cents }) => `${project.id} ${cents}`)
  const isAgreed = sums.every((sum) => agreedTo.includes(sum))
  return {
    offered,
    known: data,
    drafted,
    of,
    folders,
    over,
    near: budgets.filter(({ isOver }) => !isOver),
    isAgreed,
    agree: (wanted) => setAgreedTo(wanted ? sums : []),
    agreedOf: (upload, made) => {
      const project = made.get(upload.id) ?? of(upload)
      if (project === null) return null
      const overBudget = isAgreed && over.some((one) => one.project.id === project.id)
      return { id: project.id, name: project.name, overBudget }
    },
  }
}
