import { useId } from 'react'
import type { AccountOverview } from '../../../contract/account/account.ts'
import { optionTable } from '../../../contract/interface/option-table.ts'
import { type OptionName, type OrderOptions, optionNames } from '../../../contract/interface/option-values.ts'
import { SupportLink } from '../../base/ui/support-link.tsx'
import { OptionControl } from './option-control.tsx'
import type { PriceBook } from './price-book.ts'
import { TypeChoice } from './type-choice.tsx'

type Props = {
  options: OrderOptions
  book: PriceBook | null
  suggestions: readonly string[]
  /** null: the service has no account interface */
  overview: AccountOverview | null
  onChange: (change: Partial<OrderOptions>) => void
}

const lineClass = 'border-b border-line py-[3px]'

/** Support enables it (spec 2.3, rule 5). */
const needsRequest = (name: OptionName) => 'onRequest' in optionTable[name]
const isLine = (name: OptionName) => 'values' in optionTable[name] && !needsRequest(name)

const lines = optionNames.filter((name) => name !== 'transcript_type' && isLine(name))
const blocks = optionNames.filter((name) => !isLine(name))

/** All options of the table. Those that `automated` ignores stay visible but disabled, with the reason. */
export function OptionsPanel(props: Props) {
  const { options, book, suggestions, overview, onChange } = props
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
        onChange={(type) => onChange({ transcript_type: type })}
      />
      {isAutomated && (
        <p id={noteId} className="mt-3 text-sm text-ink-3">
          Automated transcripts ignore the options below. They apply to manual ones.
        </p>
      )}
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
    </div>
  )
}
