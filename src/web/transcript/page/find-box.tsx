import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { Field } from '../../base/ui/field.tsx'
import { IconButton, pressedClass } from '../../base/ui/icon-button.tsx'
import { Popover } from '../../base/ui/popover.tsx'
import { countText } from '../../base/ui/sizes.ts'
import type { FindInText, FindState } from '../desk/find-in-text.ts'

type Props = {
  find: FindInText
  inputRef: RefObject<HTMLInputElement | null>
  onClose?: () => void
  onReplace?: (by: string, all: boolean) => void
}

/** Find in the transcript: incremental, with a count, next and previous. */
export function FindBox({ find, inputRef, onClose, onReplace }: Props) {
  const state = useSignal(find.state)
  const isSearching = state.query !== ''
  const close = () => {
    onClose?.()
    find.clear()
  }
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    find.step(event.shiftKey ? -1 : 1)
  }
  // From its buttons, too; not out of what opens over it, which React lets through.
  const onEscape = (event: KeyboardEvent<HTMLElement>) => {
    const { target, currentTarget } = event
    if (event.key !== 'Escape' || !(target instanceof HTMLElement) || !currentTarget.contains(target)) return
    event.preventDefault()
    target.blur()
    close()
  }
  return (
    <search
      data-searching={isSearching || undefined}
      onKeyDown={onEscape}
      className="group relative flex w-72 min-w-0 items-center gap-0.5 rounded-md border border-edge bg-surface pr-1 pl-2.5 max-[80rem]:not-data-searching:w-44 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent phone:w-auto phone:flex-1"
    >
      <Search aria-hidden className="size-4 shrink-0 text-ink-2" />
      <input
        ref={inputRef}
        type="search"
        aria-label="Find in the transcript"
        placeholder="Find"
        value={state.query}
        onChange={(event) => find.search({ query: event.target.value })}
        onKeyDown={onEnter}
        className="h-8 w-28 min-w-0 flex-1 bg-transparent px-1.5 outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      <output className="px-1 text-sm whitespace-nowrap text-ink-3 tabular-nums">{countOfHits(state)}</output>
      <Steps find={find} />
      <FindTools find={find} onReplace={onReplace} />
      {(isSearching || onClose !== undefined) && (
        <IconButton label="Close find" tooltip={false} className="size-7" onClick={close}>
          <X aria-hidden />
        </IconButton>
      )}
    </search>
  )
}

/* Both are rendered even while hidden, so that the first keystroke has nothing to build. */

function Steps({ find }: { find: FindInText }) {
  return (
    <div className="hidden items-center group-data-searching:flex">
      <IconButton label="Previous match" tooltip={false} className="size-7" onClick={() => find.step(-1)}>
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton label="Next match" tooltip={false} className="size-7" onClick={() => find.step(1)}>
        <ChevronDown aria-hidden />
      </IconButton>
    </div>
  )
}

/** Below the field, so that the header does not change. */
function FindTools({ find, onReplace }: { find: FindInText; onReplace: Props['onReplace'] }) {
  const { matchCase, wholeWord, count } = useSignal(find.state)
  return (
    <div className="absolute top-full right-0 z-30 mt-1.5 hidden items-center gap-1 rounded-md border border-line bg-surface p-1 shadow-high group-focus-within:flex group-data-searching:flex">
      <Toggle label="Match case" on={matchCase} onChange={(on) => find.search({ matchCase: on })} />
      <Toggle label="Whole words" on={wholeWord} onChange={(on) => find.search({ wholeWord: on })} />
      {onReplace !== undefined && <Replace count={count} onReplace={onReplace} />}
    </div>
  )
}

function countOfHits({ query, count, current }: FindState): string {
  if (query === '') return ''
  return count === 0 ? 'No matches' : `${countText(current + 1)} of ${countText(count)}`
}

type ReplaceProps = { count: number; onReplace: (by: string, all: boolean) => void }

/** Replaces the current match, or all of them as one undoable step. */
function Replace({ count, onReplace }: ReplaceProps) {
  const [by, setBy] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const replace = (all: boolean) => {
    onReplace(by, all)
    // Of a button that nothing is left for, the focus would be lost.
    field.current?.focus()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    replace(false)
  }
  return (
    <Popover
      title="Replace matches"
      trigger={
        <Button size="sm" variant="quiet">
          Replace…
        </Button>
      }
    >
      <form onSubmit={onSubmit} className="grid gap-3">
        <Field
          ref={field}
          label="Replace with"
          value={by}
          onChange={(event) => setBy(event.target.value)}
          autoComplete="off"
        />
        <div className="flex justify-end gap-2">
          <Button type="submit" size="sm" disabled={count === 0}>
            Replace
          </Button>
          <Button size="sm" variant="primary" disabled={count === 0} onClick={() => replace(true)}>
            Replace all {countText(count)}
          </Button>
        </div>
      </form>
    </Popover>
  )
}

type ToggleProps = { label: string; on: boolean; onChange: (on: boolean) => void }

function Toggle({ label, on, onChange }: ToggleProps) {
  return (
    <Button size="sm" variant="quiet" aria-pressed={on} className={pressedClass} onClick={() => onChange(!on)}>
      {label}
    </Button>
  )
}
