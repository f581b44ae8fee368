import { useEffect, useRef } from 'react'
import { replaceFound } from '../../transcript/desk/replace-found.ts'
import { FindBox } from '../../transcript/page/find-box.tsx'
import type { PartDesk } from './part-desk.ts'

/** Find and replace, above the text. On closing, the turn of the current match has the focus. */
export function FindBar({ open, onClose }: { open: PartDesk; onClose: () => void }) {
  const { desk } = open
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.focus()
  }, [])
  const close = () => {
    const { table, blocks } = desk.text.state.get()
    const place = desk.find.places[desk.find.state.get().current]
    onClose()
    if (table.count > 0) desk.view?.focusBlock(place === undefined ? null : blocks.blockOf(table.wordAtOffset(place)))
  }
  return (
    <div className="flex justify-end border-b border-line bg-surface px-5 py-1.5 phone:px-3">
      <FindBox find={desk.find} inputRef={input} onClose={close} onReplace={(by, all) => replaceFound(open, by, all)} />
    </div>
  )
}
