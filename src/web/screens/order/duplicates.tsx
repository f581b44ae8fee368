import { useId } from 'react'
import { Checkbox } from '../../base/ui/checkbox.tsx'
import { countText } from '../../base/ui/sizes.ts'
import type { Order } from './use-order.ts'
import type { Verdict } from './verdict.ts'

/** How many recordings are duplicates, which are skipped unless explicitly wanted. */
export function Duplicates({ order: { summary, ordersDuplicates, setOrdersDuplicates } }: { order: Order }) {
  const id = useId()
  const { duplicates } = summary
  if (duplicates.length === 0) return null
  const counted = (level: Verdict['level'], one: string, several: string) => {
    const count = duplicates.filter(({ verdict }) => verdict.level === level).length
    return count === 0 ? [] : [`${countText(count)} of these ${count === 1 ? one : several}`]
  }
  const parts = [
    ...counted('known', 'is on the account already', 'are on the account already'),
    ...counted('alike', 'looks like a file of the account', 'look like files of the account'),
    ...counted('twin', 'is the same recording as another', 'are the same recording as another'),
  ]
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-2 text-sm">
      <Checkbox id={id} checked={!ordersDuplicates} onChange={({ target }) => setOrdersDuplicates(!target.checked)} />
      <label htmlFor={id}>
        <span className="text-warn">{parts.join(', ')}</span> · leave {duplicates.length === 1 ? 'it' : 'them'} out
      </label>
    </div>
  )
}
