import type { OrderOptions } from '../../../contract/option-values.ts'
import { decimalToCents } from '../../../contract/price.ts'
import type { FileRecord } from '../../api/metadata-reader.ts'
import { momentText } from '../../ui/dates.ts'
import { moneyText } from '../../ui/money.ts'
import { PanelSection } from './panel-section.tsx'

/** What was ordered, what it cost, and when it came. */
export function OrderFacts({ record }: { record: FileRecord }) {
  const { metadata } = record
  const cents = (text: string) => (text === '' ? Number.NaN : decimalToCents(text))
  const money = (amount: number) => moneyText(amount, metadata.currency)
  const discount = cents(metadata.discount)
  const facts: [string, string][] = [['Cost', money(cents(metadata.cost))]]
  if (discount !== 0) facts.push(['Discount', money(-discount)])
  facts.push(['Total', money(record.totalCents)], ['Transaction', metadata.transaction_id || '–'])
  if (record.percent < 100) facts.push(['Due', momentText(record.dueAt)])
  else if (Number.isFinite(record.readyAt)) facts.push(['Delivered', momentText(record.readyAt)])
  // A HEAD answer tells only when it was promised (spec 2.2, delivery).
  else if (Number.isFinite(record.dueAt)) facts.push(['Promised for', momentText(record.dueAt)])
  if (metadata.delay_reason !== null) facts.push(['Delayed', metadata.delay_reason])
  if (record.expiresAt !== null) facts.push(['Removed', momentText(record.expiresAt)])
  const options = optionsInWords(metadata.options)
  return (
    <PanelSection title="Order">
      <dl className="grid gap-1.5 text-sm">
        {[...facts, ...options].map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-ink-2">{name}</dt>
            <dd className="min-w-0 text-right wrap-anywhere tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </PanelSection>
  )
}

const labels: Partial<Record<keyof OrderOptions, string>> = {
  strict_verbatim: 'Strict verbatim',
  subtitle_file: 'Subtitle file',
  time_coding: 'Time coding',
  speaker_tracking: 'Speaker tracking',
  speaker_tracking_format: 'Speakers as',
  spelling_style: 'Spelling',
  transcript_template: 'Template',
  speaker_names: 'Names given',
  instructions: 'Instructions',
  custom_formatting_details: 'Formatting',
}

/** The options as applied; an automated order has none but its type (spec 2.3, rule 4). */
function optionsInWords(options: OrderOptions): [string, string][] {
  const type = options.transcript_type === 'automated' ? 'Automated' : 'Manual'
  const lines: [string, string][] = [['Type', type]]
  if (options.transcript_type === 'automated') return lines
  for (const [name, label] of Object.entries(labels)) {
    const value = options[name as keyof OrderOptions]
    const text = typeof value === 'string' ? value : value.join(', ')
    if (text !== '') lines.push([label, text.charAt(0).toUpperCase() + text.slice(1)])
  }
  return lines
}
