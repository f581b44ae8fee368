import { useQuery } from '@tanstack/react-query'
import { searchedName } from '../../../../contract/account/projects.ts'
import { account } from '../../../base/api/account.ts'
import { projects } from '../../../base/api/projects.ts'
import { Button } from '../../../base/ui/button.tsx'
import { LabelledCheckbox } from '../../../base/ui/checkbox.tsx'
import { Field } from '../../../base/ui/field.tsx'
import { Segmented } from '../../../base/ui/segmented.tsx'
import { Select } from '../../../base/ui/select.tsx'
import { collectTags } from '../../../signed-in/file-actions/tags.ts'
import { useLibrary } from '../../../signed-in/library/use-live.ts'
import { useSession } from '../../../signed-in/session/session.ts'
import type { ListState } from '../list/list-state.ts'
import { type SearchState, type SearchWords, withProject, withState, withTag } from '../list/search-words.ts'

const reviewFilters: { value: ListState['review']; label: string }[] = [
  { value: 'any', label: 'any' },
  { value: 'corrected', label: 'Corrected' },
  { value: 'in_review', label: 'In review' },
  { value: 'approved', label: 'Approved' },
]

/** Each with the service feature it requires. */
const searchStates: { is: SearchState; label: string; needs?: 'labels' | 'retention' }[] = [
  { is: 'duplicate', label: 'Same recording as another' },
  { is: 'archived', label: 'Archived', needs: 'labels' },
  { is: 'leaving', label: 'Deleted soon by a rule', needs: 'retention' },
  { is: 'held', label: 'Kept forever', needs: 'retention' },
]

type Props = {
  state: ListState
  words: SearchWords
  /** called with the changed search */
  onSearch: (search: string) => void
  /** null: there is no filter */
  onClear: (() => void) | null
  onChange: (change: Partial<ListState>) => void
}

/** Filters other than the four tabs. States of a file are part of the search, where they can also be typed. */
export function FilterFields({ state, words, onSearch, onClear, onChange }: Props) {
  const features = useQuery(account.overview(useSession())).data?.features
  const states = searchStates.filter(({ needs }) => needs === undefined || features?.[needs])
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
      {features?.projects && <ProjectField search={state.search} chosen={words.project} onSearch={onSearch} />}
      {features?.labels && <TagField search={state.search} chosen={words.tags[0] ?? null} onSearch={onSearch} />}
      <DateFields state={state} onChange={onChange} />
      {states.map(({ is, label }) => (
        <LabelledCheckbox
          key={is}
          label={label}
          checked={words[is]}
          onChange={({ target }) => onSearch(withState(state.search, is, target.checked))}
        />
      ))}
      <Button disabled={onClear === null} onClick={onClear ?? undefined}>
        Clear filters
      </Button>
    </>
  )
}

type NameProps = Pick<Props, 'onSearch'> & { search: string; chosen: string | null }

function TagField({ search, chosen, onSearch }: NameProps) {
  const tags = collectTags(useLibrary().library)
  if (tags.length === 0) return null
  return (
    <Select
      label="Tag"
      prefix="Tag: "
      value={chosen ?? ''}
      options={[{ value: '', label: 'any' }, ...tags.map((tag) => ({ value: tag.toLowerCase(), label: tag }))]}
      onChange={(tag) => onSearch(withTag(search, tag === '' ? null : tag))}
    />
  )
}

function ProjectField({ search, chosen, onSearch }: NameProps) {
  const { data = [] } = useQuery(projects.list(useSession()))
  if (data.length === 0) return null
  const names = data.map(({ name }) => ({ value: searchedName(name), label: name }))
  return (
    <Select
      label="Project"
      prefix="Project: "
      value={chosen ?? ''}
      options={[{ value: '', label: 'any' }, ...names]}
      onChange={(name) => onSearch(withProject(search, name === '' ? null : name))}
    />
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
