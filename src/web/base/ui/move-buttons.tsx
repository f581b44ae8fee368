import { ArrowDown, ArrowUp } from 'lucide-react'
import { announce } from './announcer.tsx'
import { IconButton } from './icon-button.tsx'

/** Two buttons that move a row by one position. They stay enabled at either end: a disabled one would lose focus. */
export function MoveButtons({ name, onMove }: { name: string; onMove: (by: -1 | 1) => void }) {
  function move(by: -1 | 1) {
    onMove(by)
    announce(`${name} moved ${by < 0 ? 'up' : 'down'}`)
  }
  return (
    <>
      <IconButton label={`Move ${name} up`} tooltip={false} onClick={() => move(-1)}>
        <ArrowUp aria-hidden />
      </IconButton>
      <IconButton label={`Move ${name} down`} tooltip={false} onClick={() => move(1)}>
        <ArrowDown aria-hidden />
      </IconButton>
    </>
  )
}
