import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { AccountOverview, Recognition } from '../../../contract/account/account.ts'
import { optionTable } from '../../../contract/interface/option-table.ts'
import {
  listValues,
  type OptionName,
  type OrderOptions,
  optionNames,
} from '../../../contract/interface/option-values.ts'
import { centsPerMinute } from '../../../contract/interface/price.ts'
import { moneyText } from '../../base/ui/money.ts'
import { SupportLink } from '../../base/ui/support-link.tsx'
import { OptionControl } from './option-control.tsx'
import { optionWords, shortWords } from './order-text.ts'
import type { PriceBook } from './price-book.ts'
import { describeEngine, EngineNote } from './recognition-words.tsx'

type Props = {
  options: OrderOptions
  book: PriceBook | null
  suggestions: readonly string[]
  /** null: the service has no account interface */
  overview: AccountOverview | null
  onChange: (change: Partial<OrderOptions>) => void
  /** the options are folded into a line of words, and not there at all for `automated` */
  folds?: boolean
  /** when a transcript of each type would be ready; empty: not known yet */
  ready?: Partial<Record<Type, string>>
}

const lineClass = 'border-b border-line py-[3px]'

/** Support enables it (spec 2.3, rule 5). */
const needsRequest = (name: OptionName) => 'onRequest' in optionTable[name]
const isLine = (name: OptionName) => 'values' in optionTable[name] && !needsRequest(name)

const lines = optionNames.filter((name) => name !== 'transcript_type' && isLine(name))
const blocks = optionNames.filter((name) => !isLine(name))

/**
 * All options of the table. Those that `automated` ignores stay visible but disabled, with the reason, unless the panel
 * folds.
 */
export function OptionsPanel(props: Props) {
  const { options, book, suggestions, overview, onChange, folds = false, ready = {} } = props
  const isCustomFormattingEnabled = overview?.custom_formatting_enabled ?? false
  const isAutomated = options.transcript_type === 'automated'
  const noteId = useId()
  const control = (name: OptionName) => (
    <OptionControl key={name} {...{ name, options, book, suggestions, onChange }} disabled={isAutomated} />
  )
  return (
    <div className="grid">
      <TypeChoice
        type={options.transcript_type}
        book={book}
        recognition={overview?.recognition ?? null}
        ready={ready}
        onChange={(type) => onChange({ transcript_type: type })}
      />
      {isAutomated && !folds && (
        <p id={noteId} className="mt-3 text-sm text-ink-3">
          Automated transcripts ignore the options below. They apply to manual ones.
        </p>
      )}
      <Folded isFolding={folds} options={options} book={book}>
        <fieldset
          disabled={isAutomated}
          aria-describedby={isAutomated ? noteId : undefined}
          className="mt-1 grid min-w-0"
        >
          <legend className="sr-only">Options for manual transcripts</legend>
          {lines.map((name) => (
            <div key={name} className={lineClass}>
              {control(name)}
            </div>
          ))}
          {!isCustomFormattingEnabled &&
            blocks.filter(needsRequest).map((name) => (
              <p key={name} className={`${lineClass} flex min-h-[37px] items-center justify-between gap-4 text-ink-3`}>
                {optionTable[name].label}{' '}
                <span className="text-xs">
                  set up by{' '}
                  {overview?.support_email ? (
                    <SupportLink email={overview.support_email} subject={optionTable[name].label}>
                      support
                    </SupportLink>
                  ) : (
                    'support'
                  )}
                </span>
              </p>
            ))}
          <div className={`mt-3.5 grid gap-3.5 ${isAutomated ? 'opacity-60' : ''}`}>
            {blocks.filter((name) => isCustomFormattingEnabled || !needsRequest(name)).map(control)}
          </div>
        </fieldset>
      </Folded>
    </div>
  )
}

/** What the line of folded options says besides what differs from the spec's defaults. */
const usual = ['speaker_tracking_format', 'spelling_style', 'time_coding'] as const

type FoldedProps = { isFolding: boolean; options: OrderOptions; book: PriceBook | null; children: ReactNode }

function Folded({ isFolding, options, book, children }: FoldedProps) {
  const [isOpen, setIsOpen] = useState(false)
  if (!isFolding) return children
  if (options.transcript_type === 'automated') return null
  // Options stay for the next order: what they add to its price is not folded away.
  const extra = book?.kind === 'rates' ? centsPerMinute(book.rates, options) - book.rates.manual : 0
  const words = [...usual.map((name) => shortWords(name, options)), ...optionWords(options)]
  if (book?.kind === 'rates' && extra > 0) words.push(`+${moneyText(extra, book.currency)} / min`)
  return (
    <div className="mt-2 grid">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-10 items-center gap-3 rounded-sm text-left"
      >
        <span>Options</span>
        <span className="min-w-0 flex-1 text-right text-sm text-ink-2">{[...new Set(words)].join(' · ')}</span>
        <ChevronDown aria-hidden className={`size-4 shrink-0 text-ink-3 ${isOpen ? 'rotate-180' : ''}`} />
      </button>
      {isOpen && children}
    </div>
  )
}

type Type = OrderOptions['transcript_type']
type TypeChoiceProps = {
  type: Type
  book: PriceBook | null
  /** null: the service does not report the quality of automated transcripts */
  recognition: Recognition | null
  ready: Partial<Record<Type, string>>
  onChange: (type: Type) => void
}

const meanings: Record<Type, string> = {
  manual: 'Typed and checked by people.',
  automated: 'Speech recognition only.',
}

/** Manual or automated, each with its quality and price per minute. */
function TypeChoice({ type: chosen, book, recognition, ready, onChange }: TypeChoiceProps) {
  const name = useId()
  return (
    <fieldset className="grid min-w-0 grid-cols-2 gap-2">
      <legend className="sr-only">Type of transcript</legend>
      {listValues('transcript_type')
        .toReversed()
        .map((type) => (
          <label
            key={type}
            className={`relative grid content-start gap-0.5 rounded-md border px-3 py-2.5 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${
              type === chosen
                ? 'border-accent bg-accent-soft forced-colors:outline-2 forced-colors:outline-[Highlight]'
                : 'border-line-strong hover:bg-sunken'
            }`}
          >
            <input
              type="radio"
              name={name}
              className="absolute inset-0 cursor-pointer opacity-0"
              checked={type === chosen}
              onChange={() => onChange(type)}
            />
            <span className="text-md font-semibold">{optionTable.transcript_type.values[type]}</span>
            <span className="text-xs text-ink-2">
              {meanings[type]} {type === 'automated' && recognition && describeEngine(recognition)}{' '}
              {book && <MinutePrice type={type} book={book} />}
            </span>
            {ready[type] !== undefined && (
              // The estimate of the queue arrives late: its lines are reserved, so that no button below moves.
              <span className={`text-xs text-ink-2 ${type === 'automated' ? 'min-h-[3lh]' : ''}`}>{ready[type]}</span>
            )}
          </label>
        ))}
      {chosen === 'automated' && recognition && <EngineNote {...recognition} />}
    </fieldset>
  )
}

function MinutePrice({ type, book }: { type: Type; book: PriceBook }) {
  const cents = book.kind === 'rates' ? book.rates[type] : book.rates[type]?.middle
  if (cents === undefined) return null
  return (
    <span className="whitespace-nowrap">
      {book.kind === 'learned' && 'About '}
      {moneyText(Math.round(cents), book.currency)} / min
    </span>
  )
}
