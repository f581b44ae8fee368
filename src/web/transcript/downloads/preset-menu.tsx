import { Bookmark, ChevronDown, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../base/ui/button.tsx'
import { Field } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '../../base/ui/menu.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import type { DownloadPreset } from './choices.ts'
import type { DownloadChoices } from './use-download-choices.ts'

/** Presets: selecting, creating, renaming and deleting. */
export function PresetMenu({ download }: { download: DownloadChoices }) {
  const { presets, onPreset, changePresets } = download
  const [naming, setNaming] = useState<DownloadPreset | 'new' | null>(null)
  const remove = (name: string) =>
    changePresets({ [name]: null }).catch(({ message }) =>
      showToast({ title: 'The preset was not deleted', detail: message, tone: 'bad' }),
    )
  return (
    <>
      <Menu
        trigger={
          <Button className="justify-self-start">
            Presets <ChevronDown aria-hidden />
          </Button>
        }
      >
        {presets.map((preset) => (
          <MenuItem key={preset.name} onSelect={() => onPreset(preset)} note={preset.format.toUpperCase()}>
            <Bookmark aria-hidden /> {preset.name}
          </MenuItem>
        ))}
        {presets.length > 0 && <MenuSeparator />}
        <MenuItem onSelect={() => setNaming('new')}>Save these choices…</MenuItem>
        {presets.length > 0 && (
          <MenuGroup label="Change">
            {presets.map((preset) => (
              <MenuItem key={preset.name} onSelect={() => setNaming(preset)}>
                <Pencil aria-hidden /> Rename {preset.name}…
              </MenuItem>
            ))}
            {presets.map(({ name }) => (
              <MenuItem key={name} danger onSelect={() => void remove(name)}>
                <Trash2 aria-hidden /> Delete {name}
              </MenuItem>
            ))}
          </MenuGroup>
        )}
      </Menu>
      {naming !== null && (
        <NameDialog download={download} preset={naming === 'new' ? null : naming} onClose={() => setNaming(null)} />
      )}
    </>
  )
}

type NameProps = { download: DownloadChoices; preset: DownloadPreset | null; onClose: () => void }

/** Names the panel's choices as a new preset (null), or renames a preset. */
function NameDialog({ download: { format, choices, changePresets }, preset, onClose }: NameProps) {
  const [typed, setTyped] = useState(preset?.name ?? '')
  const name = typed.trim()
  return (
    <FormDialog
      title={preset === null ? 'Save these choices as a preset' : `Rename ${preset.name}`}
      submit={preset === null ? 'Save preset' : 'Rename'}
      isReady={name !== ''}
      onSubmit={() => changePresets({ ...(preset && { [preset.name]: null }), [name]: preset ?? { format, choices } })}
      onClose={onClose}
    >
      <Field label="Name" value={typed} maxLength={60} onChange={(event) => setTyped(event.target.value)} />
    </FormDialog>
  )
}
