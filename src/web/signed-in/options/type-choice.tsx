import { useId } from 'react'
import type { Recognition } from '../../../contract/account/account.ts'
import { optionTable } from '../../../contract/interface/option-table.ts'
import { type OrderOptions, valuesOf } from '../../../contract/interface/option-values.ts'
import { moneyText } from '../../base/ui/money.ts'
import type { PriceBook } from './price-book.ts'
import { worthOf } from './recognition-words.tsx'

type Type = OrderOptions['transcript_type']
type Props = {
  type: Type
  book: PriceBook | null
  /** null: the service does not report the quality of automated transcripts */
  recognition: Recognition | null
  onChange: (type: Type) => void
}

const meanings: Record<Type, string> = {
  manual: 'Typed and checked by people.',
  automated: 'Speech recognition only.',
}

/** Manual or automated, each with its quality and price per minute. */
export function TypeChoice({ type: chosen, book, recognition, onChange }: Props) {
  const name = useId()
  return (
    <fieldset className="grid grid-cols-2 gap-2">
      <legend className="sr-only">Type of transcript</legend>
      {valuesOf('transcript_type')
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
              {meanings[type]} {type === 'automated' && recognition && worthOf(recognition)}{' '}
              {book && <MinutePrice type={type} book={book} />}
            </span>
          </label>
        ))}
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
