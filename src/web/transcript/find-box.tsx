import { CaseSensitive, ChevronDown, ChevronUp, Replace as Replaces, Search, WholeWord, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { useSignal } from '../state/signal.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Popover } from '../ui/popover.tsx'
import { countText } from '../ui/sizes.ts'
import type { FindInText } from './desk/find-in-text.ts'

type Props = {
  find: FindInText
  inputRef: RefObject<HTMLInputElement | null>
  onClose?: () => void
  onReplace?: (by: string, all: boolean) => void
}

/** Find in the transcript: as it is typed, with the count, next and previous. */
export function FindBox({ find, inputRef, onClose, onReplace }: Props) {
  const state = useSignal(find.state)
  const looking = state.query !== ''
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') find.step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') {
      find.clear()
      inputRef.current?.blur()
      onClose?.()
    } else return
    event.preventDefault()
  }
  return (
    <search
      data-looking={looking || undefined}
      className="group flex min-w-0 items-center gap-0.5 rounded-md border border-edge bg-surface pr-1 pl-2.5 focus-within:outline-2 focus-within:outline-accent phone:flex-1"
    >
      <Search aria-hidden className="size-4 shrink-0 text-ink-2" />
      <input
        ref={inputRef}
        type="search"
        aria-label="Find in the transcript"
        placeholder="Find"
        value={state.query}
        onChange={(event) => find.search({ query: event.target.value })}
        onKeyDown={onKeyDown}
        className="h-8 w-28 min-w-0 flex-1 bg-transparent px-1.5 outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      <output className="px-1 text-sm whitespace-nowrap text-ink-3 tabular-nums">
        {looking ? countOfHits(state) : ''}
      </output>
      {/* Always in the page, so that the first key has nothing to build. */}
      <div className="hidden items-center gap-0.5 group-focus-within:flex group-data-looking:flex">
        <Toggle label="Match case" on={state.matchCase} onChange={(matchCase) => find.search({ matchCase })}>
          <CaseSensitive aria-hidden />
        </Toggle>
        <Toggle label="Whole words" on={state.wholeWord} onChange={(wholeWord) => find.search({ wholeWord })}>
          <WholeWord aria-hidden />
        </Toggle>
        <IconButton label="Previous hit" tooltip={false} className="size-7" onClick={() => find.step(-1)}>
          <ChevronUp aria-hidden />
        </IconButton>
        <IconButton label="Next hit" tooltip={false} className="size-7" onClick={() => find.step(1)}>
          <ChevronDown aria-hidden />
        </IconButton>
        {onReplace !== undefined && <Replace count={state.count} onReplace={onReplace} />}
      </div>
      {(looking || onClose !== undefined) && (
        <IconButton
          label="Close find"
          tooltip={false}
          className="size-7"
          onClick={() => {
            find.clear()
            onClose?.()
          }}
        >
          <X aria-hidden />
        </IconButton>
      )}
    </search>
  )
}

function countOfHits({ count, current }: { count: number; current: number }): string {
  return count === 0 ? 'none' : `${countText(current + 1)} of ${countText(count)}`
}

type ReplaceProps = { count: number; onReplace: (by: string, all: boolean) => void }

/** Another text in place of what was found: here, or everywhere as one step that can be undone. */
function Replace({ count, onReplace }: ReplaceProps) {
  const [by, setBy] = useState('')
  return (
    <Popover
      title="Replace what is found"
      trigger={
        <IconButton label="Replace" tooltip={false} className="size-7">
          <Replaces aria-hidden />
        </IconButton>
      }
    >
      <Field label="Replace with" value={by} onChange={(event) => setBy(event.target.value)} autoComplete="off" />
      <div className="flex justify-end gap-2">
        <Button size="sm" disabled={count === 0} onClick={() => onReplace(by, false)}>
          This one
        </Button>
        <Button size="sm" variant="primary" disabled={count === 0} onClick={() => onReplace(by, true)}>
          All {countText(count)}
        </Button>
      </div>
    </Popover>
  )
}

type ToggleProps = { label: string; on: boolean; onChange: (on: boolean) => void; children: React.ReactNode }

function Toggle({ label, on, onChange, children }: ToggleProps) {
  return (
    <IconButton
      label={label}
      aria-pressed={on}
      tooltip={false}
      className="size-7 aria-pressed:bg-accent-soft aria-pressed:text-accent"
      onClick={() => onChange(!on)}
    >
      {children}
    </IconButton>
  )
}
