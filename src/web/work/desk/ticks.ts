import { useState } from 'react'
import type { HeldPart } from '../../api/work.ts'

const keyOf = ({ part, claim }: HeldPart) => `parley.ticks.${part}.${claim}`

function readTicks(held: HeldPart): readonly string[] {
  try {
    return (sessionStorage.getItem(keyOf(held)) ?? '').split('\n').filter((id) => id !== '')
  } catch {
    return []
  }
}

/**
 * Which points of the sheet are ticked off. A reload of the tab keeps them; whoever takes the part next begins with none,
 * as each vouches for his own step.
 */
export function useTicks(held: HeldPart): [readonly string[], (id: string, isTicked: boolean) => void] {
  const [ticked, setTicked] = useState(() => readTicks(held))
  const tick = (id: string, isTicked: boolean) => {
    const next = isTicked ? [...ticked, id] : ticked.filter((one) => one !== id)
    setTicked(next)
    try {
      sessionStorage.setItem(keyOf(held), next.join('\n'))
    } catch {
      // The browser keeps nothing: they last as long as the page.
    }
  }
  return [ticked, tick]
}
