import type { ReactNode } from 'react'
import { Dialog } from '../../base/ui/dialog.tsx'
import { Kbd } from '../../base/ui/kbd.tsx'
import { Segmented } from '../../base/ui/segmented.tsx'
import { Switch } from '../../base/ui/switch.tsx'
import { changePreferences } from '../../signed-in/preferences/change-preferences.ts'
import { jumpBacks, type PreferencesChange, usePreferences } from '../../signed-in/preferences/preferences.ts'
import { useSession } from '../../signed-in/session/session.ts'

const clickWords = [
  { value: 'plays', label: 'Plays from there' },
  { value: 'types', label: 'Places the caret' },
] as const
const seconds = jumpBacks.map((value) => ({ value: String(value), label: value === 0 ? 'Off' : `${value} s` }))
/** How playback and typing work together, stored with the account's preferences. */
export function TypingDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const session = useSession()
  const { click, jumpBackSeconds, loopTurn } = usePreferences()
  const change = (changed: PreferencesChange) => void changePreferences(session, changed)
  return (
    <Dialog open={open} onClose={onClose} title="Playback settings" width="md">
      <div className="grid gap-3">
        <Line label="A click on a word">
          <Segmented
            label="A click on a word"
            value={click}
            options={clickWords}
            onChange={(next) => change({ click: next })}
          />
        </Line>
        <Line label="Jump back at each pause">
          <Segmented
            label="Jump back at each pause"
            value={String(jumpBackSeconds)}
            options={seconds}
            onChange={(next) => change({ jumpBackSeconds: jumpBacks[Number(next)] ?? 0 })}
          />
        </Line>
        <Switch
          label="Loop the turn while I type in it"
          checked={loopTurn}
          onChange={(next) => change({ loopTurn: next })}
        />
      </div>
      <p className="text-sm text-ink-2">
        Keys for the hands and for pedals, also while you type: <Kbd>F4</Kbd> plays and pauses, <Kbd>F7</Kbd> and{' '}
        <Kbd>F8</Kbd> go back and forward, <Kbd>F2</Kbd> and <Kbd>F3</Kbd> change the speed, <Kbd>F10</Kbd> loops the
        turn. On a Mac hold Fn with them.
      </p>
    </Dialog>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
      <span>{label}</span>
      {children}
    </div>
  )
}
