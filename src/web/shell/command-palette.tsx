import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { useEffect, useId, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import type { Session } from '../api/client.ts'
import { useLibrary } from '../library/use-live.ts'
import { KeptSearch } from '../transcript/kept/kept-search.ts'
import { type Command, fixedCommands, foundCommands, matchCommands } from './commands.ts'
import { showKeysHelp } from './keys-help.tsx'
import { useNavItems } from './nav-items.ts'

type Props = { session: Session; onSignOut: () => void }

/** Ctrl-K from anywhere: go to a file by its name or by words in its transcript, to a page, or do one of a few things. */
export function CommandPalette(props: Props) {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      setOpen((last) => !last)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <BaseDialog.Root open={open} onOpenChange={setOpen}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <BaseDialog.Viewport className="fixed inset-0 z-40 grid items-start justify-items-center p-4 pt-[12dvh]">
          <BaseDialog.Popup
            aria-label="Commands"
            className="w-full max-w-xl overflow-hidden rounded-lg border border-line bg-surface shadow-high outline-none"
          >
            <Palette {...props} onDone={() => setOpen(false)} />
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

function Palette({ session, onSignOut, onDone }: Props & { onDone: () => void }) {
  const listId = useId()
  const navigate = useNavigate()
  const { snapshot } = useLibrary()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { environment } = session
  const go = (path: string) => void navigate(path)
  const fixed = fixedCommands(environment, useNavItems(), { navigate: go, signOut: onSignOut, showKeys: showKeysHelp })
  const openFile = (id: string, hash = '') => go(`/${environment}/files/${encodeURIComponent(id)}${hash}`)
  const answer = useFoundWords(session, typed)
  // What is found in transcripts comes later and stands last, so that nothing moves under the choice.
  const found = [...matchCommands(typed, fixed, snapshot.rows, openFile), ...foundCommands(answer, openFile)]
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

  return (
    <>
      <div className="relative border-b border-line">
        <Search aria-hidden className="absolute top-1/2 left-4 size-4 -translate-y-1/2 text-ink-3" />
        <input
          // A combobox whose list is always open; the choice moves with the arrows (ARIA practices).
          role="combobox"
          aria-label="Go to a file or do something"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={chosen ? `${listId}-${chosen.id}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder="Go to a file, a page, words in a transcript, or do something"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
          className="h-12 w-full bg-transparent pr-4 pl-11 text-md outline-none"
        />
      </div>
      <div id={listId} role="listbox" aria-label="Commands" className="max-h-[50dvh] overflow-y-auto p-1.5">
        {found.length === 0 && (
          <p className="px-3 py-6 text-center text-ink-2">
            Nothing is called that, and it is not in the transcripts that you have opened here.
          </p>
        )}
        {found.map((command, index) => (
          <CommandRow
            key={command.id}
            id={`${listId}-${command.id}`}
            command={command}
            heading={found[index - 1]?.group === command.group ? null : command.group}
            chosen={command === chosen}
            onHover={() => setAt(index)}
            onRun={() => run(command)}
          />
        ))}
      </div>
    </>
  )
}

/** What is found in all transcripts kept on this device, for as long as the palette is open. */
function useFoundWords(session: Session, typed: string) {
  const [search] = useState(() => new KeptSearch(session))
  useEffect(() => search.find(typed), [search, typed])
  useEffect(() => () => search.close(), [search])
  return useSyncExternalStore(search.answer.subscribe, search.answer.get)
}

/** The label; what was found in it is marked, and kept in sight where the line is short. */
function CommandLabel({ command: { label, found } }: { command: Command }) {
  if (found === undefined) return <span className="truncate">{label}</span>
  const [from, to] = found
  return (
    <bdi className="flex w-full min-w-0 font-serif">
      <span className="max-w-[45%] min-w-0 shrink-0 overflow-hidden text-ellipsis whitespace-pre [direction:rtl]">
        {/* A blank at the end would be put at the other one. */}
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
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the field, which moves the choice */}
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
