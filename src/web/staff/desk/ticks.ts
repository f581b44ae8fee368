import { useState } from 'react'
import type { HeldPart } from '../../base/api/work.ts'
import { KeptInTab } from './kept-in-tab.ts'

/** The ticked items of the sheet: each person confirms their own step. */
export function useTicks(held: HeldPart): [readonly string[], (id: string, isTicked: boolean) => void] {
  const [kept] = useState(() => new KeptInTab('ticks', held))
  const [ticked, setTicked] = useState(kept.lines)
  const tick = (id: string, isTicked: boolean) => {
    const next = isTicked ? [...ticked, id] : ticked.filter((one) => one !== id)
    setTicked(next)
    kept.set(next)
  }
  return [ticked, tick]
}
