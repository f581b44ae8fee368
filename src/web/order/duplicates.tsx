import { useId } from 'react'
import { Checkbox } from '../ui/checkbox.tsx'
import { countText } from '../ui/sizes.ts'
import type { Order } from './use-order.ts'

/** How many recordings are left out as duplicates, and the choice to order them all the same. */
export function Duplicates({ order: { summary, ordersDuplicates, setOrdersDuplicates } }: { order: Order }) {
  const id = useId()
  const { duplicates } = summary
  if (duplicates.length === 0) return null
  const twins = duplicates.filter(({ verdict }) => verdict.level === 'twin').length
  const known = duplicates.length - twins
  const parts = [
    twins > 0 && `${countText(twins)} ${twins === 1 ? 'is' : 'are'} the same recording as another`,
    known > 0 && `${countText(known)} ${known === 1 ? 'is' : 'are'} already on the account`,
  ]
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-2 text-sm">
      <Checkbox id={id} checked={ordersDuplicates} onChange={({ target }) => setOrdersDuplicates(target.checked)} />
      <label htmlFor={id}>
        <span className="text-warn">{parts.filter(Boolean).join(', ')}.</span> Order{' '}
        {duplicates.length === 1 ? 'it' : 'them'} anyway
      </label>
    </div>
  )
}
