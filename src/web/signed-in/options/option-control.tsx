import { optionTable } from '../../../contract/interface/option-table.ts'
import {
  isInForce,
  isValueOption,
  listValues,
  type OptionName,
  type OrderOptions,
  type ValueOption,
} from '../../../contract/interface/option-values.ts'
import { TextArea } from '../../base/ui/field.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { Select } from '../../base/ui/select.tsx'
import { Switch } from '../../base/ui/switch.tsx'
import { valueText } from './option-words.ts'
import type { PriceBook } from './price-book.ts'
import { SpeakerNames } from './speaker-names.tsx'

type Props = {
  name: OptionName
  options: OrderOptions
  book: PriceBook | null
  /** names from earlier orders */
  suggestions: readonly string[]
  disabled: boolean
  onChange: (change: Partial<OrderOptions>) => void
}

/** The control of an option by its kind: a switch, a select, names, or a text field. */
export function OptionControl(props: Props) {
  const { name, options, suggestions, disabled, onChange } = props
  const option = optionTable[name]
  if (isValueOption(name)) {
    const isSwitch = listValues(name).some((value) => value === 'on' || value === 'yes')
    return isSwitch ? <OptionSwitch {...props} name={name} /> : <OptionSelect {...props} name={name} />
  }
  if (!isInForce(name, options)) return null
  const { label } = option
  const value = options[name]
  const change = (next: string | string[]) => onChange({ [name]: next })
  if (typeof value !== 'string') {
    return <SpeakerNames {...{ label, suggestions, disabled }} names={value} onChange={change} />
  }
  return (
    <TextArea
      label={label}
      placeholder={placeholders[name]}
      hint={disabled ? undefined : 'Whoever types it reads this word for word.'}
      value={value}
      disabled={disabled}
      onChange={(event) => change(event.target.value)}
      className="field-sizing-content resize-none"
    />
  )
}

const placeholders: Partial<Record<OptionName, string>> = {
  instructions: 'Spellings, jargon, anything the typist should know',
}

/** What a paid option provides, if its label does not say so. */
const whatIsBought: Partial<Record<OptionName, string>> = {
  subtitle_file: 'SRT and SBV, checked by caption rules, with a report of every place that breaks one.',
}

type ValueProps = Props & { name: ValueOption }

/** A switch, with its price if the service publishes its rates. */
function OptionSwitch({ name, options, book, disabled, onChange }: ValueProps) {
  const [on, off] = listValues(name)
  const cents: number | undefined = book?.kind === 'rates' ? (book.rates as Record<string, number>)[name] : undefined
  const control = (
    <Switch
      label={optionTable[name].label}
      note={cents === undefined ? undefined : `+${moneyText(cents, book?.currency ?? '')} / min`}
      checked={options[name] === on}
      disabled={disabled}
      onChange={(isOn) => onChange({ [name]: isOn ? on : off })}
    />
  )
  const bought = whatIsBought[name]
  if (bought === undefined || options[name] !== on || disabled) return control
  return (
    <div>
      {control}
      <p className="text-sm text-ink-3">{bought}</p>
    </div>
  )
}

function OptionSelect({ name, options, disabled, onChange }: ValueProps) {
  const { label } = optionTable[name]
  const values: readonly string[] = listValues(name)
  return (
    <div className="flex min-h-[30px] items-center justify-between gap-4">
      <span className={disabled ? 'text-ink-3' : ''}>{label}</span>
      <Select
        label={label}
        look="quiet"
        value={options[name] as string}
        options={values.map((value) => ({ value, label: valueText(value) }))}
        disabled={disabled || !isInForce(name, options)}
        onChange={(value) => onChange({ [name]: value })}
        className="-mr-1.5"
      />
    </div>
  )
}
