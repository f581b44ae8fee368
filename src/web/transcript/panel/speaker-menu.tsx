import { Pencil, Plus, Users } from 'lucide-react'
import { useState } from 'react'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { Field } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { AnchoredMenu, MenuCheck, MenuGroup, MenuItem, MenuSeparator } from '../../base/ui/menu.tsx'
import { countText } from '../../base/ui/sizes.ts'
import type { Correcting } from '../desk/correcting.ts'
import type { Desk } from '../desk/desk.ts'

type Props = { desk: Desk; correcting: Correcting; ready: boolean }

/** The menu of a turn's speaker: another one for this turn, another name, only this one's turns. */
export function SpeakerMenu({ desk, correcting, ready }: Props) {
  const menu = useSignal(desk.speakerMenu)
  const only = useSignal(desk.only)
  const { table, names } = useSignal(desk.text.state)
  const [renamed, setRenamed] = useState<{ speaker: number; word: number } | null>(null)
  if (menu === null) return null
  const { word } = menu
  const speaker = table.speakerOf(word)
  const name = <bdi>{names[speaker]}</bdi>
  return (
    <>
      <AnchoredMenu
        {...menu}
        align="start"
        standIn={() => turnAt(desk, word)}
        onClose={() => desk.speakerMenu.set({ ...menu, open: false })}
      >
        {ready && (
          <>
            <MenuGroup label="Speaker of this turn">
              {names.map((one, index) => (
                <MenuCheck
                  key={one}
                  checked={index === speaker}
                  closes
                  onChange={() => index !== speaker && correcting.setSpeaker(word, one)}
                >
                  <bdi>{one}</bdi>
                </MenuCheck>
              ))}
              <MenuItem onSelect={() => correcting.nameSpeaker(word)}>
                <Plus aria-hidden /> New speaker…
              </MenuItem>
            </MenuGroup>
            <MenuSeparator />
            <MenuItem onSelect={() => setRenamed({ speaker, word })}>
              <Pencil aria-hidden /> <span>Rename {name}…</span>
            </MenuItem>
          </>
        )}
        <MenuItem onSelect={() => showOnly(desk, only === null ? speaker : null, word)}>
          <Users aria-hidden /> {only === null ? <span>Show only {name}</span> : 'Show all speakers'}
        </MenuItem>
      </AnchoredMenu>
      {renamed && <Rename {...{ desk, correcting }} {...renamed} onClose={() => setRenamed(null)} />}
    </>
  )
}

/** The element of a word's turn, which is another one after each change of it. */
function turnAt({ text, view }: Desk, word: number): HTMLElement | null {
  return view?.elementOf(text.state.get().blocks.blockOf(word)) ?? null
}

/** Shows one speaker's turns, or all; the turn at hand stays in view, with the focus. */
function showOnly(desk: Desk, speaker: number | null, word: number): void {
  desk.only.set(speaker)
  desk.view?.scrollToWord(word)
  turnAt(desk, word)?.focus({ preventScroll: true })
}

type RenameProps = Omit<Props, 'ready'> & { speaker: number; word: number; onClose: () => void }

function Rename({ desk, correcting, speaker, word, onClose }: RenameProps) {
  const { names } = desk.text.state.get()
  const [name, setName] = useState(names[speaker] ?? '')
  return (
    <FormDialog
      title={
        <>
          Rename <bdi>{names[speaker]}</bdi>
        </>
      }
      submit="Rename"
      isReady={name.trim() !== ''}
      onSubmit={() => correcting.rename(speaker, name)}
      onClose={onClose}
      finalFocus={() => turnAt(desk, word)}
    >
      <Field
        label="Name"
        value={name}
        autoComplete="off"
        hint="In all turns. The name of another speaker makes them one."
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  )
}

/** Whose turns alone are shown, with the way back to all. */
export function OnlySpeaker({ desk }: { desk: Desk }) {
  const only = useSignal(desk.only)
  const { table, names, blocks } = useSignal(desk.text.state)
  if (only === null) return null
  let turns = 0
  for (let block = 0; block < blocks.count; block++) {
    if (blocks.startsTurn(block) && table.speakerOf(blocks.first(block)) === only) turns++
  }
  const showAll = () => showOnly(desk, null, desk.view?.topWord() ?? 0)
  return (
    <div className="flex items-center gap-3 border-t border-line bg-surface px-5 py-2 text-sm phone:px-4">
      <p role="status" className="min-w-0 truncate">
        Only <bdi className="font-semibold">{names[only]}</bdi>: {countText(turns)} of {countText(blocks.turns)} turns
      </p>
      <Button size="sm" className="ml-auto" onClick={showAll}>
        Show all speakers
      </Button>
    </div>
  )
}
