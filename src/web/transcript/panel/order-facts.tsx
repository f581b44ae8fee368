import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { HeardSound } from '../../../contract/account/file-pages.ts'
import { decimalToCents } from '../../../contract/interface/price.ts'
import { type FileRecord, isGivenUp, takenBackCents } from '../../base/api/metadata-reader.ts'
import { projects } from '../../base/api/projects.ts'
import { IdText } from '../../base/ui/id-text.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { useLibrary } from '../../signed-in/library/use-live.ts'
import { optionFacts } from '../../signed-in/options/option-words.ts'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { PanelSection } from './panel-section.tsx'

/** The order's options, cost and dates; the file's project, tags and note. */
export function OrderFacts({ record }: { record: FileRecord }) {
  const { metadata } = record
  const dates = useDates()
  const cents = (text: string) => (text === '' ? Number.NaN : decimalToCents(text))
  const money = (amount: number) => moneyText(amount, metadata.currency)
  const discount = cents(metadata.discount)
  const { transaction_id: transaction } = metadata
  const facts: [string, ReactNode][] = [['Cost', money(cents(metadata.cost))]]
  if (discount !== 0) facts.push(['Discount', money(-discount)])
  const takenBack = takenBackCents(record)
  if (takenBack > 0) facts.push(['Taken back by the bank', money(-takenBack)])
  facts.push(
    ['Total', money(record.totalCents)],
    ['Transaction', transaction ? <IdText key={transaction} id={transaction} what="transaction" /> : '–'],
  )
  const isEnded = isGivenUp(record)
  if (isEnded) facts.push(['Given up', metadata.delay_reason])
  else if (record.percent < 100) facts.push([record.dueAt < Date.now() ? 'Was due' : 'Due', dates.moment(record.dueAt)])
  else if (Number.isFinite(record.readyAt)) facts.push(['Ready since', dates.moment(record.readyAt)])
  // A HEAD response only has the promised time (spec 2.2, delivery).
  else if (Number.isFinite(record.dueAt)) facts.push(['Was due', dates.moment(record.dueAt)])
  if (metadata.delay_reason !== null && !isEnded) facts.push(['Delayed', metadata.delay_reason])
  if (record.batch !== null) facts.push(['Ordered in', <BatchLink key="batch" batch={record.batch} />])
  if (metadata.duplicates) facts.push(['Same recording as', <Duplicates key="duplicates" ids={metadata.duplicates} />])
  if (record.heard) facts.push(['Sound', heardWords(record.heard)])
  if (record.expiresAt !== null) facts.push(['Will be removed', dates.moment(record.expiresAt)])
  const own: [string, ReactNode][] = []
  if (record.project !== null) own.push(['Project', <ProjectName key="project" id={record.project} />])
  if (record.labels?.tags.length) own.push(['Tags', record.labels.tags.join(', ')])
  if (record.labels?.note) own.push(['Note', <span className="whitespace-pre-line">{record.labels.note}</span>])
  return (
    <>
      {own.length > 0 && (
        <PanelSection title="File">
          <Facts facts={own} />
        </PanelSection>
      )}
      <PanelSection title="Order">
        <Facts facts={[...facts, ...optionFacts(metadata.options)]} />
      </PanelSection>
    </>
  )
}

/** Leads back to the page of all that was ordered by the same press. */
function BatchLink({ batch }: { batch: string }) {
  const { environment } = useSession()
  return (
    <Link to={`/${environment}/order/${batch}`} className="underline underline-offset-2">
      this order
    </Link>
  )
}

function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid gap-1.5 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-4">
          <dt className="text-ink-2">{name}</dt>
          <dd className="min-w-0 text-right wrap-anywhere tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function ProjectName({ id }: { id: string }) {
  const session = useSession()
  const name = useQuery(projects.list(session)).data?.find((project) => project.id === id)?.name
  return (
    <Link to={`/${session.environment}/projects/${encodeURIComponent(id)}`} className="underline underline-offset-2">
      {name ?? 'Project'}
    </Link>
  )
}

/** `2 sound tracks: “Guest” was heard` */
function heardWords({ track, tracks, name, channel, voices }: HeardSound): string {
  if (voices !== undefined)
    return `${voices.length} ${tracks > 1 ? 'sound tracks' : 'channels'}: each is a speaker of its own`
  const which = name === '' ? `number ${track}` : `“${name}”`
  const words = [
    tracks > 1 && `${tracks} sound tracks: ${which} was heard`,
    channel !== null && `only the ${channel} channel was heard, as both together cancel each other`,
  ]
  return words.filter(Boolean).join('; ')
}

/** Links to the account's other files with the same recording (spec 2.2 `duplicates`). */
function Duplicates({ ids }: { ids: readonly string[] }) {
  const { environment } = useSession()
  const { library } = useLibrary()
  return ids.map((id) => (
    <Link
      key={id}
      to={`/${environment}/files/${encodeURIComponent(id)}`}
      className="block underline underline-offset-2"
    >
      {library.row(id)?.record?.metadata.name || id}
    </Link>
  ))
}
