import type { ComponentProps, ReactNode } from 'react'
import { Segmented } from '../../base/ui/segmented.tsx'
import { Select } from '../../base/ui/select.tsx'
import { changePreferences } from '../../signed-in/preferences/change-preferences.ts'
import {
  clocks,
  dateLanguages,
  densities,
  type PreferencesChange,
  themes,
  usePreferences,
} from '../../signed-in/preferences/preferences.ts'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { Section } from './section.tsx'

const languageNames = new Intl.DisplayNames('en', { type: 'language' })
const languages = dateLanguages.map((value) => ({ value, label: languageNames.of(value) ?? value }))

const capitalized = <Value extends string>(value: Value) => ({ value, label: value[0]?.toUpperCase() + value.slice(1) })
const separators = [
  { value: 'comma', label: 'Commas' },
  { value: 'semicolon', label: 'Semicolons, 1,5' },
] as const
const hours = clocks.map((value) => ({ value, label: `${value} hours` }))

/** Appearance settings; stored with the account if the service stores settings. */
export function AppearanceSection() {
  const session = useSession()
  const { theme, density, clock, dateLanguage, csvSeparator } = usePreferences()
  const dates = useDates()
  const change = (changed: PreferencesChange) => void changePreferences(session, changed)
  return (
    <Section
      id="appearance"
      title="Appearance"
      words="Saved with your account if the service supports it, otherwise on this device."
    >
      <div className="grid">
        <Choice
          label="Theme"
          value={theme}
          options={themes.map(capitalized)}
          onChange={(next) => change({ theme: next })}
        />
        <Choice
          label="Density"
          value={density}
          options={densities.map(capitalized)}
          onChange={(next) => change({ density: next })}
        />
        <Choice label="Clock" value={clock} options={hours} onChange={(next) => change({ clock: next })} />
        <Line label="Date language" note={dates.moment(Date.now() - 9 * 86_400_000)}>
          <Select
            label="Date language"
            value={dateLanguage}
            options={languages}
            onChange={(next) => change({ dateLanguage: next })}
          />
        </Line>
        <Choice
          label="Tables (CSV)"
          value={csvSeparator}
          options={separators}
          onChange={(next) => change({ csvSeparator: next })}
        />
      </div>
    </Section>
  )
}

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
