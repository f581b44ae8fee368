import { useMutation, useQuery } from '@tanstack/react-query'
import { Bookmark, ChevronDown, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { account } from '../../base/api/account.ts'
import type { Session } from '../../base/api/client.ts'
import { type OrderPreset, readPresets } from '../../base/api/presets.ts'
import { changeSettings, settings, useSettings } from '../../base/api/settings.ts'
import { renamePreset } from '../../base/api/vocabulary.ts'
import { Field } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '../../base/ui/menu.tsx'
import { showToast } from '../../base/ui/toast.tsx'

type Props = {
  session: Session
  options: OrderOptions
  onApply: (preset: OrderPreset) => void
  onReset: () => void
}

const trigger = (
  <button
    type="button"
    className="-mr-1.5 inline-flex h-8 items-center gap-1.5 rounded-md px-1.5 text-ink-2 hover:text-ink"
  >
    Presets <ChevronDown aria-hidden className="size-4 text-ink-3" />
  </button>
)

/** The subject of the naming dialog: the page's options as a new preset (null), or an existing preset to rename. */
type Naming = { preset: OrderPreset | null }

/** Named sets of options, stored with the account. */
export function PresetMenu({ session, options, onApply, onReset }: Props) {
  const presets = readPresets(useSettings(session))
  const [naming, setNaming] = useState<Naming | null>(null)
  const remove = useMutation({
    ...settings.change(session),
    onError: ({ message }) => showToast({ title: 'The preset was not deleted', detail: message, tone: 'bad' }),
  })
  return (
    <>
      <Menu trigger={trigger}>
        {presets.map((preset) => (
          <MenuItem key={preset.name} onSelect={() => onApply(preset)}>
            <Bookmark aria-hidden /> {preset.name}
          </MenuItem>
        ))}
        <MenuItem onSelect={onReset}>Account defaults</MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => setNaming({ preset: null })}>Save these options…</MenuItem>
        {presets.length > 0 && (
          <MenuGroup label="Change">
            {presets.map((preset) => (
              <MenuItem key={preset.name} onSelect={() => setNaming({ preset })}>
                <Pencil aria-hidden /> Rename {preset.name}…
              </MenuItem>
            ))}
            {presets.map(({ name }) => (
              <MenuItem key={name} danger onSelect={() => remove.mutate({ presets: { [name]: null } })}>
                <Trash2 aria-hidden /> Delete {name}
              </MenuItem>
            ))}
          </MenuGroup>
        )}
      </Menu>
      {naming && <NameDialog {...naming} session={session} options={options} onClose={() => setNaming(null)} />}
    </>
  )
}

type NameProps = Naming & { session: Session; options: OrderOptions; onClose: () => void }

function NameDialog({ session, preset, options, onClose }: NameProps) {
  const [typed, setTyped] = useState(preset?.name ?? '')
  const name = typed.trim()
  const changes = { ...(preset && { [preset.name]: null }), [name]: preset?.options ?? options }
  const hasWords = useQuery(account.overview(session)).data?.features.vocabulary === true
  const save = async () => {
    if (preset !== null && hasWords) await renamePreset(session, preset.name, name)
    await changeSettings(session, { presets: changes })
  }
  return (
    <FormDialog
      title={preset === null ? 'Save these options as a preset' : `Rename ${preset.name}`}
      submit={preset === null ? 'Save preset' : 'Rename'}
      isReady={name !== ''}
      onSubmit={save}
      onClose={onClose}
    >
      <Field label="Name" value={typed} maxLength={60} onChange={(event) => setTyped(event.target.value)} />
    </FormDialog>
  )
}
