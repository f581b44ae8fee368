import { useQuery } from '@tanstack/react-query'
import { account } from '../../api/account.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { LabelledCheckbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import type { ListState } from '../list/list-state.ts'
import type { SearchState, SearchWords } from '../list/search-words.ts'

const reviewFilters: { value: ListState['review']; label: string }[] = [
  { value: 'any', label: 'any' },
  { value: 'corrected', label: 'Corrected' },
  { value: 'in_review', label: 'In review' },
  { value: 'approved', label: 'Approved' },
]

const searchStates: { is: SearchState; label: string }[] = [
  { is: 'duplicate', label: 'Same recording as another' },
  { is: 'archived', label: 'Archived' },
]

type Props = {
  state: ListState
  words: SearchWords
  /** has the search ask for what is so, or not */
  onState: (is: SearchState, wanted: boolean) => void
  /** null: there is no filter */
  onClear: (() => void) | null
  onChange: (change: Partial<ListState>) => void
}

/** Filters other than the four tabs. What a file is stands in the search, where it can be typed as well. */
export function FilterFields({ state, words, onState, onClear, onChange }: Props) {
  const features = useQuery(account.overview(useSession())).data?.features
  const states = searchStates.filter(({ is }) => is !== 'archived' || features?.labels)
  return (
    <>
      <Segmented
        label="Type"
        value={state.type}
        options={[
          { value: 'any', label: 'Any' },
          { value: 'manual', label: 'Manual' },
          { value: 'automated', label: 'Automated' },
        ]}
        onChange={(type) => onChange({ type })}
      />
      {features?.corrections && (
        <Select
          label="Review"
          prefix="Review: "
          value={state.review}
          options={reviewFilters}
          onChange={(review) => onChange({ review })}
        />
      )}
      <DateFields state={state} onChange={onChange} />
      {states.map(({ is, label }) => (
        <LabelledCheckbox
          key={is}
          label={label}
          checked={words[is]}
          onChange={({ target }) => onState(is, target.checked)}
        />
      ))}
      <Button disabled={onClear === null} onClick={onClear ?? undefined}>
        Clear filters
      </Button>
    </>
  )
}

function DateFields({ state, onChange }: Pick<Props, 'state' | 'onChange'>) {
  return (
    <div className="grid gap-2">
      <Field
        label="Ordered from"
        type="date"
        value={state.from}
        onChange={(event) => onChange({ from: event.target.value })}
      />
      <Field label="to" type="date" value={state.to} onChange={(event) => onChange({ to: event.target.value })} />
    </div>
  )
}
