import { useMutation } from '@tanstack/react-query'
import { Bookmark, ChevronDown, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { OrderOptions } from '../../contract/option-values.ts'
import type { Session } from '../api/client.ts'
import { presetsOf, presetsPatch } from '../api/presets.ts'
import { settings } from '../api/settings.ts'
import { useSettings } from '../api/use-settings.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { showToast } from '../ui/toast.tsx'

type Props = {
  session: Session
  options: OrderOptions
  onApply: (options: OrderOptions) => void
  onReset: () => void
}

/** What the dialog names: a new preset, or the one that was called `was`. */
type Naming = { was: string | null }

/** Sets of options by name, stored with the account. Longer than most: one menu item after the other. */
export function PresetMenu({ session, options, onApply, onReset }: Props) {
  const stored = useSettings(session)
  const list = presetsOf(stored)
  const [naming, setNaming] = useState<Naming | null>(null)
  const save = useMutation({
    ...settings.change(session),
    onError: ({ message }) => showToast({ title: 'The preset was not saved', detail: message, tone: 'bad' }),
  })
  const change = (changes: Parameters<typeof presetsPatch>[1]) => save.mutate(presetsPatch(stored, changes))

  function finishNaming(name: string) {
    const was = naming?.was ?? null
    const renamed = list.find((preset) => preset.name === was)
    change({ ...(was !== null && { [was]: null }), [name]: renamed?.options ?? options })
    setNaming(null)
  }

  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            className="-mr-1.5 inline-flex h-8 items-center gap-1.5 rounded-md px-1.5 text-ink-2 hover:text-ink"
          >
            Presets <ChevronDown aria-hidden className="size-4 text-ink-3" />
          </button>
        }
      >
        {list.map((preset) => (
          <MenuItem key={preset.name} onSelect={() => onApply(preset.options)}>
            <Bookmark aria-hidden /> {preset.name}
          </MenuItem>
        ))}
        <MenuItem onSelect={onReset}>Account defaults</MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => setNaming({ was: null })}>Save these options …</MenuItem>
        {list.length > 0 && (
          <ChangeGroup
            names={list.map(({ name }) => name)}
            onRename={(was) => setNaming({ was })}
            onDelete={(name) => change({ [name]: null })}
          />
        )}
      </Menu>
      {naming && <NameDialog was={naming.was} onClose={() => setNaming(null)} onName={finishNaming} />}
    </>
  )
}

type ChangeProps = { names: readonly string[]; onRename: (name: string) => void; onDelete: (name: string) => void }

function ChangeGroup({ names, onRename, onDelete }: ChangeProps) {
  return (
    <MenuGroup label="Change">
      {names.map((name) => (
        <MenuItem key={name} onSelect={() => onRename(name)}>
          <Pencil aria-hidden /> Rename {name} …
        </MenuItem>
      ))}
      {names.map((name) => (
        <MenuItem key={name} danger onSelect={() => onDelete(name)}>
          <Trash2 aria-hidden /> Delete {name}
        </MenuItem>
      ))}
    </MenuGroup>
  )
}

type NameProps = { was: string | null; onClose: () => void; onName: (name: string) => void }

function NameDialog({ was, onClose, onName }: NameProps) {
  const [name, setName] = useState(was ?? '')
  const trimmed = name.trim()
  return (
    <Dialog open onClose={onClose} title={was === null ? 'Save these options as a preset' : `Rename ${was}`}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (trimmed !== '') onName(trimmed)
        }}
      >
        <Field label="Name" value={name} maxLength={60} autoFocus onChange={(event) => setName(event.target.value)} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={trimmed === ''}>
            {was === null ? 'Save preset' : 'Rename'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
