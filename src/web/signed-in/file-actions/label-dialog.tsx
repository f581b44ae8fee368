import { useState } from 'react'
import { type Labels, maxNameLength, maxNoteLength, noLabels } from '../../../contract/account/labels.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { Field, TextArea } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { FileLibrary } from '../library/library.ts'
import { SpeakerNames as Chips } from '../options/speaker-names.tsx'
import { BeginField } from './begin-field.tsx'
import { setLabels } from './set-labels.ts'
import { collectTags } from './tags.ts'

type Props = { records: readonly FileRecord[]; library: FileLibrary; onClose: () => void }

/** Name, note and tags of one file; only the tags of several. */
export function LabelDialog(props: Props) {
  const [only] = props.records
  return props.records.length === 1 && only ? <OneFile {...props} record={only} /> : <ManyFiles {...props} />
}

/** Reports values that others wrote since the dialog was opened, and that were overwritten. */
function tellOfOthers(opened: Labels, was: Labels, change: { name?: string; note?: string }): void {
  const replaced = (['name', 'note'] as const).filter((field) => field in change && was[field] !== opened[field])
  for (const field of replaced) {
    const title = `Somebody else had changed the ${field} meanwhile`
    showToast({ title, detail: `It was: ${was[field] || 'empty'}. Undo brings it back.` })
  }
}

type Fields = Pick<Labels, 'name' | 'note' | 'tags'> & { begins: number | null | undefined }

/** Sends only edited fields, to keep others' changes to the rest. */
function editedFields(opened: Labels & { shown: string }, { name, note, tags, begins }: Fields) {
  return {
    ...(name !== opened.shown && { name }),
    ...(note !== opened.note && { note }),
    ...(begins !== (opened.begins_at_seconds ?? null) && { begins_at_seconds: begins }),
    add_tags: tags.filter((tag) => !opened.tags.includes(tag)),
    remove_tags: opened.tags.filter((tag) => !tags.includes(tag)),
  }
}

function OneFile({ record, library, onClose }: Omit<Props, 'records'> & { record: FileRecord }) {
  // As of opening the dialog: others may change the file in the meantime.
  const [opened] = useState({ ...(record.labels ?? noLabels), shown: record.metadata.name })
  const [name, setName] = useState(opened.shown)
  const [note, setNote] = useState(opened.note)
  const [tags, setTags] = useState(opened.tags)
  const [begins, setBegins] = useState<number | null | undefined>(opened.begins_at_seconds ?? null)
  const save = async () => {
    const change = editedFields(opened, { name, note, tags, begins })
    const [was] = await setLabels(library, { ids: [record.id], ...change }, 'Saved')
    if (was !== undefined) tellOfOthers(opened, was.labels, change)
  }
  return (
    <FormDialog
      title="Name, note and tags"
      submit="Save"
      isReady={begins !== undefined}
      onSubmit={save}
      onClose={onClose}
    >
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
        suggestions={collectTags(library)}
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
      <BeginField session={library.session} id={record.id} value={begins ?? null} onChange={setBegins} />
    </FormDialog>
  )
}

function ManyFiles({ records, library, onClose }: Props) {
  const [added, setAdded] = useState<string[]>([])
  const there = [...new Set(records.flatMap(({ labels }) => labels?.tags ?? []))].sort()
  const [kept, setKept] = useState(there)
  const removed = there.filter((tag) => !kept.includes(tag))
  const save = async () => {
    await setLabels(library, { ids: records.map(({ id }) => id), add_tags: added, remove_tags: removed }, 'Tags saved')
  }
  return (
    <FormDialog
      title={`Tags of ${formatCount(records.length, 'file')}`}
      submit="Save"
      onSubmit={save}
      onClose={onClose}
    >
      <Chips
        label="Add to all"
        placeholder="Add a tag"
        names={added}
        suggestions={collectTags(library)}
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
