import { useState } from 'react'
import { maxNameLength, maxNoteLength, noLabels } from '../../../contract/account-labels.ts'
import type { FileRecord } from '../../api/metadata-reader.ts'
import type { FileLibrary } from '../../library/library.ts'
import { SpeakerNames as Chips } from '../../options/speaker-names.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { countOf } from '../../ui/sizes.ts'
import { setLabels } from './set-labels.ts'
import { tagsOf } from './tags.ts'

type Props = { records: readonly FileRecord[]; library: FileLibrary; onClose: () => void }

/** Name, note and tags of a file; of several the tags. */
export function LabelDialog(props: Props) {
  const [only] = props.records
  return props.records.length === 1 && only ? <OneFile {...props} record={only} /> : <ManyFiles {...props} />
}

function OneFile({ record, library, onClose }: Omit<Props, 'records'> & { record: FileRecord }) {
  const before = record.labels ?? noLabels
  const [name, setName] = useState(record.metadata.name)
  const [note, setNote] = useState(before.note)
  const [tags, setTags] = useState(before.tags)
  const save = () => {
    const remove_tags = before.tags.filter((tag) => !tags.includes(tag))
    // A name that was not touched stays the one that it was ordered with.
    const named = name === record.metadata.name ? {} : { name }
    return setLabels(library, { ids: [record.id], ...named, note, add_tags: tags, remove_tags }, 'Saved')
  }
  return (
    <FormDialog title="Name, note and tags" submit="Save" onSubmit={save} onClose={onClose}>
      <Field
        label="Name"
        value={name}
        maxLength={maxNameLength}
        hint="Shown here and given to downloads. Programs keep seeing the name of the recording; leave it empty to go back to that."
        onChange={({ target }) => setName(target.value)}
      />
      <Chips
        label="Tags"
        placeholder="Add a tag"
        names={tags}
        suggestions={tagsOf(library)}
        disabled={false}
        onChange={setTags}
      />
      <TextArea
        label="Note"
        rows={4}
        value={note}
        maxLength={maxNoteLength}
        onChange={({ target }) => setNote(target.value)}
      />
    </FormDialog>
  )
}

function ManyFiles({ records, library, onClose }: Props) {
  const [added, setAdded] = useState<string[]>([])
  const there = [...new Set(records.flatMap(({ labels }) => labels?.tags ?? []))].sort()
  const [kept, setKept] = useState(there)
  const removed = there.filter((tag) => !kept.includes(tag))
  const save = () =>
    setLabels(library, { ids: records.map(({ id }) => id), add_tags: added, remove_tags: removed }, 'Tags saved')
  return (
    <FormDialog title={`Tags of ${countOf(records.length, 'file')}`} submit="Save" onSubmit={save} onClose={onClose}>
      <Chips
        label="Add to all"
        placeholder="Add a tag"
        names={added}
        suggestions={tagsOf(library)}
        disabled={false}
        onChange={setAdded}
      />
      {there.length > 0 && (
        <Chips
          label="Take away from all"
          placeholder={null}
          names={kept}
          suggestions={[]}
          disabled={false}
          onChange={setKept}
        />
      )}
    </FormDialog>
  )
}
