import { setTheme, type Theme, useTheme } from '../shell/theme.ts'
import { Segmented } from '../ui/segmented.tsx'
import { Section } from './section.tsx'

const choices: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'As the device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** How Parley looks on this device. */
export function AppearanceSection() {
  const theme = useTheme()
  return (
    <Section id="appearance" title="Appearance" words="Kept on this device.">
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3">
        <span>Theme</span>
        <div className="w-80 max-w-full">
          <Segmented label="Theme" value={theme} options={choices} onChange={setTheme} />
        </div>
      </div>
    </Section>
  )
}
