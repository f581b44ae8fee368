import { cutClass } from '../../../base/ui/cut-text.ts'
import { optionWords, typeText } from '../../../signed-in/options/order-text.ts'
import type { CellProps } from './cell-props.ts'

/** Type and options of an order on one line, truncated if too long. */
export function OrderWords({ record }: Pick<CellProps, 'record'>) {
  const words = optionWords(record.metadata.options)
  return (
    <span className={cutClass} title={words.join(', ')}>
      {typeText(record.metadata.options)}
      {words.length > 0 && <span className="text-ink-3"> · {words.join(' · ')}</span>}
    </span>
  )
}
