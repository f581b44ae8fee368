import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import type { Session } from '../base/api/client.ts'
import type { Command } from './commands.ts'
import { useCommands } from './use-commands.ts'

type PaletteProps = {
  session: Session
  /** returns what was typed before the field got the focus, and ends the buffering */
  takeTyped: () => string
  onSignOut: () => void
  onShowKeys: () => void
}
type Props = PaletteProps & { open: boolean; returnFocus: () => void; onClose: () => void }

/** Available everywhere: opens a file by name or by words in its transcript, opens a page, or runs a command. */
export function CommandPalette({ open, returnFocus, onClose, ...props }: Props) {
  return (
    <BaseDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <BaseDialog.Viewport className="fixed inset-0 z-40 grid items-start justify-items-center p-4 pt-[12dvh]">
          <BaseDialog.Popup
            aria-label="Commands"
            // Base UI would focus the first control inside the page, the search.
            finalFocus={() => {
              returnFocus()
              return false
            }}
            className="w-full max-w-xl overflow-hidden rounded-lg border border-line bg-surface shadow-high outline-none"
          >
            <Palette {...props} onDone={onClose} />
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

function Palette({ onDone, takeTyped, ...props }: PaletteProps & { onDone: () => void }) {
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { commands: found, findsWords, reach } = useCommands(props, typed)
  const chosen = found[Math.min(at, found.length - 1)]

  function run(command: Command) {
    onDone()
    command.run()
  }

  function onKeyDown(event: React.KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      setAt((Math.min(at, found.length - 1) + step + found.length) % found.length)
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      run(chosen)
    }
  }

  function type(text: string) {
    setTyped(text)
    setAt(0)
  }

  function addEarlyTyping() {
    const early = takeTyped()
    if (early !== '') type(early)
  }

  return (
    <>
      <PaletteField
        value={typed}
        placeholder={`Search files, pages, ${findsWords ? 'words in transcripts, ' : ''}and commands`}
        listId={listId}
        chosen={chosen}
        onFocus={addEarlyTyping}
        onChange={type}
        onKeyDown={onKeyDown}
      />
      <PaletteList id={listId} commands={found} reach={reach} chosen={chosen} onChoose={setAt} onRun={run} />
    </>
  )
}

const optionId = (listId: string, command: Command): string => `${listId}-${command.id}`

type FieldProps = {
  value: string
  placeholder: string
  listId: string
  chosen: Command | undefined
  onFocus: () => void
  onChange: (text: string) => void
  onKeyDown: (event: React.KeyboardEvent) => void
}

/** A combobox whose list is always open; arrow keys move the selection (ARIA practices). */
function PaletteField({ value, placeholder, listId, chosen, onFocus, onChange, onKeyDown }: FieldProps) {
  return (
    <div className="relative border-b border-line">
      <Search aria-hidden className="absolute top-1/2 left-4 size-4 -translate-y-1/2 text-ink-3" />
      <input
        role="combobox"
        aria-label="Go to a file or run a command"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={chosen && optionId(listId, chosen)}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        onFocus={onFocus}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-12 w-full bg-transparent pr-4 pl-11 text-md outline-none"
      />
    </div>
  )
}

type ListProps = {
  id: string
  commands: readonly Command[]
  /** what was searched besides files */
  reach: string
  chosen: Command | undefined
  onChoose: (index: number) => void
  onRun: (command: Command) => void
}

function PaletteList({ id, commands, reach, chosen, onChoose, onRun }: ListProps) {
  return (
    <div id={id} role="listbox" aria-label="Commands" className="max-h-[50dvh] overflow-y-auto p-1.5">
      {commands.length === 0 && <p className="px-3 py-6 text-center text-ink-2">No results in your files, {reach}.</p>}
      {commands.map((command, index) => (
        <CommandRow
          key={command.id}
          id={optionId(id, command)}
          command={command}
          heading={commands[index - 1]?.group === command.group ? null : command.group}
          chosen={command === chosen}
          onHover={() => onChoose(index)}
          onRun={() => onRun(command)}
        />
      ))}
    </div>
  )
}

/** The label, with the match highlighted and kept in view if the row is narrow. */
function CommandLabel({ command: { label, found } }: { command: Command }) {
  if (found === undefined) return <span className="truncate">{label}</span>
  const [from, to] = found
  return (
    <bdi className="flex w-full min-w-0 font-serif">
      <span className="max-w-[45%] min-w-0 shrink-0 overflow-hidden text-ellipsis whitespace-pre [direction:rtl]">
        {/* With this text direction, a trailing space would be drawn at the start. */}
        <bdi>{label.slice(0, from).replace(/ $/, '\u00a0')}</bdi>
      </span>
      <mark className="shrink-0 rounded-xs bg-accent-soft whitespace-pre text-inherit">{label.slice(from, to)}</mark>
      <span className="min-w-0 flex-1 overflow-hidden text-ellipsis whitespace-pre">{label.slice(to)}</span>
    </bdi>
  )
}

type CommandRowProps = {
  id: string
  command: Command
  heading: string | null
  chosen: boolean
  onHover: () => void
  onRun: () => void
}

function CommandRow({ id, command, heading, chosen, onHover, onRun }: CommandRowProps) {
  return (
    <>
      {heading && (
        <div aria-hidden className="px-3 pt-2 pb-1 text-xs text-ink-3">
          {heading}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the focus stays in the field, whose keys move the choice */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={chosen}
        ref={(element) => {
          if (chosen) element?.scrollIntoView({ block: 'nearest' })
        }}
        onPointerMove={onHover}
        onClick={onRun}
        className={`flex min-h-9 cursor-default justify-between rounded-md px-3 ${command.found ? 'flex-col py-1.5' : 'items-center gap-4'} ${chosen ? 'bg-sunken' : ''}`}
      >
        <CommandLabel command={command} />
        {command.note && <span className="shrink-0 text-sm text-ink-3">{command.note}</span>}
      </div>
    </>
  )
}
