import type { BudgetPer } from '../../../contract/account/balance.ts'
import { Segmented } from './segmented.tsx'

const periods = [
  { value: 'month', label: 'Each month' },
  { value: 'all', label: 'In all' },
] as const

/** Whether a budget is of a calendar month, or of everything. */
export function BudgetPeriod({ value, onChange }: { value: BudgetPer; onChange: (per: BudgetPer) => void }) {
  return <Segmented label="The budget is spent" value={value} options={periods} onChange={onChange} />
}
