import type { ReactNode } from 'react'
import { useId } from 'react'
import type { OptionName, OrderOptions } from '../../contract/option-values.ts'
import { TextArea } from '../ui/field.tsx'
import { moneyText } from '../ui/money.ts'
import { Select } from '../ui/select.tsx'
import { Switch } from '../ui/switch.tsx'
import { choicesOf, optionLabels } from './option-words.ts'
import { minuteCents, type PriceBook } from './price-book.ts'
import { SpeakerNames } from './speaker-names.tsx'

type Props = {
  options: OrderOptions
  book: PriceBook | null
  suggestions: readonly string[]
  isCustomFormattingEnabled: boolean
  onChange: (change: Partial<OrderOptions>) => void
}

const switches = [
  ['strict_verbatim', 'on', 'off'],
  ['subtitle_file', 'on', 'off'],
  ['time_coding', 'on', 'off'],
  ['speaker_tracking', 'on', 'off'],
] as const

const selects = ['speaker_tracking_format', 'spelling_style', 'transcript_template'] as const

/** The twelve options of spec 2.3. What `automated` ignores stays in sight, greyed, with the reason. */
export function OptionsPanel({ options, book, suggestions, isCustomFormattingEnabled, onChange }: Props) {
  const isAutomated = options.transcript_type === 'automated'
  const noteId = useId()
  return (
    <div className="grid">
      <TypeChoice options={options} book={book} onChange={onChange} />
      {isAutomated && (
        <p id={noteId} className="mt-3 text-sm text-ink-3">
          Automated transcripts ignore the options below. They are kept for manual ones.
        </p>
      )}
      <fieldset
        disabled={isAutomated}
        aria-describedby={isAutomated ? noteId : undefined}
        className="mt-1 grid min-w-0"
      >
        <legend className="sr-only">Options of manual transcripts</legend>
        {switches.map(([name, on, off]) => (
          <OptionRow key={name}>
            <Switch
              label={optionLabels[name]}
              note={surcharge(name, book)}
              checked={options[name] === on}
              disabled={isAutomated}
              onChange={(isOn) => onChange({ [name]: isOn ? on : off })}
            />
          </OptionRow>
        ))}
        {selects.map((name) => (
          <OptionRow key={name}>
            <div className="flex min-h-[30px] items-center justify-between gap-4">
              <span className={isAutomated ? 'text-ink-3' : ''}>{optionLabels[name]}</span>
              <Select
                label={optionLabels[name]}
                look="quiet"
                value={options[name]}
                options={choicesOf(name)}
                disabled={isAutomated || (name === 'speaker_tracking_format' && options.speaker_tracking === 'off')}
                onChange={(value) => onChange({ [name]: value })}
                className="-mr-1.5"
              />
            </div>
          </OptionRow>
        ))}
        {!isCustomFormattingEnabled && (
          <OptionRow>
            <p className="flex min-h-[30px] items-center justify-between gap-4 text-ink-3">
              {optionLabels.custom_formatting} <span className="text-xs">set up by support</span>
            </p>
          </OptionRow>
        )}
        <div className={`mt-3.5 grid gap-3.5 ${isAutomated ? 'opacity-60' : ''}`}>
          <SpeakerNames
            names={options.speaker_names}
            suggestions={suggestions}
            disabled={isAutomated}
            onChange={(names) => onChange({ speaker_names: names })}
          />
          <TextArea
            label={optionLabels.instructions}
            placeholder="Spellings, jargon, anything the typist should know"
            value={options.instructions}
            disabled={isAutomated}
            onChange={(event) => onChange({ instructions: event.target.value })}
            className="field-sizing-content resize-none"
          />
          {isCustomFormattingEnabled && (
            <CustomFormatting options={options} disabled={isAutomated} onChange={onChange} />
          )}
        </div>
      </fieldset>
    </div>
  )
}

function OptionRow({ children }: { children: ReactNode }) {
  return <div className="border-b border-line py-[3px]">{children}</div>
}

/** `+$0.50 / min`, where the service tells what an option costs. */
function surcharge(name: OptionName, book: PriceBook | null): string | undefined {
  if (book?.kind !== 'rates' || (name !== 'strict_verbatim' && name !== 'subtitle_file')) return undefined
  return `+${moneyText(book.rates[name], book.currency)} / min`
}

const types = [
  { value: 'manual', title: 'Manual', words: 'Typed and checked by people.' },
  { value: 'automated', title: 'Automated', words: 'Speech recognition only, in minutes.' },
] as const

function TypeChoice({ options, book, onChange }: Pick<Props, 'options' | 'book' | 'onChange'>) {
  const name = useId()
  return (
    <fieldset className="grid grid-cols-2 gap-2">
      <legend className="sr-only">Type of transcript</legend>
      {types.map(({ value, title, words }) => {
        const isChosen = options.transcript_type === value
        const cents =
          book &&
          minuteCents(book, { ...options, transcript_type: value, strict_verbatim: 'off', subtitle_file: 'off' })
        return (
          <label
            key={value}
            className={`relative grid content-start gap-0.5 rounded-md border px-3 py-2.5 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${
              isChosen ? 'border-accent bg-accent-soft' : 'border-line-strong hover:bg-sunken'
            }`}
          >
            <input
              type="radio"
              name={name}
              className="absolute inset-0 cursor-pointer opacity-0"
              checked={isChosen}
              onChange={() => onChange({ transcript_type: value })}
            />
            <span className="text-md font-semibold">{title}</span>
            <span className="text-xs text-ink-2">
              {words}{' '}
              {cents != null && (
                <span className="whitespace-nowrap">
                  {book?.kind === 'learned' && 'About '}
                  {moneyText(Math.round(cents), book?.currency ?? '')} / min
                </span>
              )}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

type CustomProps = Pick<Props, 'options' | 'onChange'> & { disabled: boolean }

/** Spec 2.3, rule 5: only for accounts that support has enabled it for. */
function CustomFormatting({ options, disabled, onChange }: CustomProps) {
  const isOn = options.custom_formatting === 'yes'
  return (
    <div className="grid gap-2">
      <Switch
        label={optionLabels.custom_formatting}
        checked={isOn}
        disabled={disabled}
        onChange={(next) => onChange({ custom_formatting: next ? 'yes' : 'no' })}
      />
      {isOn && (
        <TextArea
          label={optionLabels.custom_formatting_details}
          value={options.custom_formatting_details}
          disabled={disabled}
          onChange={(event) => onChange({ custom_formatting_details: event.target.value })}
        />
      )}
    </div>
  )
}
