import type { ComponentProps, ReactNode } from 'react'
import { changePreferences } from '../preferences/change-preferences.ts'
import { dateLanguages, type PreferencesChange, useDates, usePreferences } from '../preferences/preferences.ts'
import { useSession } from '../session/session.ts'
import { Segmented } from '../ui/segmented.tsx'
import { Select } from '../ui/select.tsx'
import { Section } from './section.tsx'

const languageNames = new Intl.DisplayNames('en', { type: 'language' })
const languages = dateLanguages.map((value) => ({ value, label: languageNames.of(value) ?? value }))

const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const
const densities = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const
const clocks = [
  { value: '24', label: '24 hours' },
  { value: '12', label: '12 hours' },
] as const

/** How Parley looks; stored with the account where the service stores settings. */
export function AppearanceSection() {
  const session = useSession()
  const { theme, density, clock, dateLanguage } = usePreferences()
  const dates = useDates()
  const change = (changed: PreferencesChange) => void changePreferences(session, changed)
  return (
    <Section
      id="appearance"
      title="Appearance"
      words="Kept with your account where the service offers it, else on this device."
    >
      <div className="grid">
        <Choice label="Theme" value={theme} options={themes} onChange={(next) => change({ theme: next })} />
        <Choice label="Density" value={density} options={densities} onChange={(next) => change({ density: next })} />
        <Choice label="Clock" value={clock} options={clocks} onChange={(next) => change({ clock: next })} />
        <Line label="Language of dates" note={dates.moment(Date.now() - 9 * 86_400_000)}>
          <Select
            label="Language of dates"
            value={dateLanguage}
            options={languages}
            onChange={(next) => change({ dateLanguage: next })}
          />
        </Line>
      </div>
    </Section>
  )
}

/** A line with a choice of a few values. */
function Choice<Value extends string>(props: ComponentProps<typeof Segmented<Value>>) {
  return (
    <Line label={props.label}>
      <Segmented {...props} />
    </Line>
  )
}

function Line({ label, note, children }: { label: string; note?: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-2.5">
      <span>
        {label} {note && <span className="text-ink-3">as in {note}</span>}
      </span>
      <div className="max-w-full min-w-72 phone:min-w-full [&>button]:w-full">{children}</div>
    </div>
  )
}
