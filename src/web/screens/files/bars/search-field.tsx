import { Search, X } from 'lucide-react'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { IconButton } from '../../../base/ui/icon-button.tsx'
import { Kbd } from '../../../base/ui/kbd.tsx'
import { focusRow } from '../rows/row-element.ts'

type Props = {
  value: string
  hasWords: boolean
  /** whole searches that complete what was typed */
  complete: (typed: string) => readonly string[]
  onChange: (value: string) => void
}

/**
 * Search by name or speaker, and full text if offered. `/` focuses it from anywhere on the page, Escape clears it,
 * arrow down moves to the list.
 */
export function SearchField({ value, hasWords, complete, onChange }: Props) {
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  // While typing, the field is ahead of the URL, which follows a render later.
  const [draft, setDraft] = useState<string | null>(null)
  const completions = complete(draft ?? value)
  function type(text: string) {
    setDraft(text)
    onChange(text)
  }
  useSlashKey(input)
  return (
    <div className="relative w-72 phone:w-full">
      <Search aria-hidden className="absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-3" />
      <input
        ref={input}
        type="search"
        aria-label="Search names and speakers"
        placeholder={hasWords ? 'Search names, speakers, words' : 'Search names, speakers'}
        list={completions.length > 0 ? listId : undefined}
        value={draft ?? value}
        onChange={(event) => type(event.target.value)}
        onBlur={() => setDraft(null)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') type('')
          else if (event.key === 'ArrowDown') {
            event.preventDefault()
            focusRow()
          }
        }}
        className="h-8.5 w-full rounded-md border border-edge bg-surface pr-10 pl-9 outline-offset-0 [&::-webkit-search-cancel-button]:appearance-none"
      />
      <datalist id={listId}>
        {completions.map((search) => (
          <option key={search} value={search} />
        ))}
      </datalist>
      <SearchEnd
        isEmpty={(draft ?? value) === ''}
        onClear={() => {
          type('')
          input.current?.focus()
        }}
      />
    </div>
  )
}

/** At the end of the field: its shortcut while it is empty, else a clear button. */
function SearchEnd({ isEmpty, onClear }: { isEmpty: boolean; onClear: () => void }) {
  if (!isEmpty) {
    return (
      <IconButton label="Clear search" tooltip={false} className="absolute inset-y-px right-px" onClick={onClear}>
        <X aria-hidden />
      </IconButton>
    )
  }
  return (
    <span aria-hidden className="absolute top-1/2 right-2.5 -translate-y-1/2 phone:hidden">
      <Kbd>/</Kbd>
    </span>
  )
}

function useSlashKey(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.key !== '/' || event.ctrlKey || event.metaKey || target.closest('input, textarea, [role="dialog"]'))
        return
      event.preventDefault()
      input.current?.select()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [input])
}
