import { useEffect, useEffectEvent } from 'react'
import { frameMs } from '../../../formats/captions/caption-rules.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { isUsedByFocus } from '../desk/page-keys.ts'
import type { Captions } from './captions.ts'
import { describeFix, fixTiming } from './fix-timing.ts'
import { automatic, type Edge, findMiddle, findSpoken, merge, place, split } from './set-captions.ts'
import { describeSnap, snapToShots } from './snap-to-shots.ts'

/** Splits at the playback position if it is within the current caption, else in its middle. */
export function splitInMiddle(captions: Captions): void {
  void captions.change('Split caption', (made, index) =>
    split(made, index, findSpoken(made, index, captions.playedMs) ?? findMiddle(made, index)),
  )
}

export function mergeNext(captions: Captions): void {
  void captions.change('Merge captions', merge)
}

export function toAutomatic(captions: Captions): void {
  void captions.change('Automatic caption', automatic)
}

/** Moves an edge of the current caption by frames. */
export function nudge(captions: Captions, edge: Edge, frames: number): void {
  const { cues, current } = captions.state.get()
  const cue = cues[current]
  if (cue === undefined) return
  captions.moveEdge(current, edge, (edge === 'start' ? cue.startMs : cue.endMs) + frames * frameMs)
}

/** Retimes all captions that timing alone can fix. */
export async function fixAllTiming(captions: Captions): Promise<void> {
  const fixed = await captions.retime('Fix timing', fixTiming)
  showToast(describeFix(fixed, captions.state.get().faults.size - fixed))
}

/** Moves the captions that begin or end near a shot change to it. @param shots milliseconds, rising */
export async function snapAll(captions: Captions, shots: readonly number[]): Promise<void> {
  showToast(describeSnap(await captions.retime('Snap to shot changes', (made, ms) => snapToShots(made, shots, ms))))
}

/** N and Shift-N as for doubtful words; S, M, T, A; comma and period move the start by a frame, with Shift the end. */
export function useCaptionKeys(captions: Captions, onClose: () => void): void {
  const current = () => captions.state.get().current
  const keys: Record<string, () => void> = {
    n: () => captions.stepFault(1),
    N: () => captions.stepFault(-1),
    s: () => splitInMiddle(captions),
    m: () => mergeNext(captions),
    M: () => {
      if (current() > 0) captions.goTo(current() - 1)
      mergeNext(captions)
    },
    t: () => void captions.change('Place caption', place),
    a: () => toAutomatic(captions),
    ',': () => nudge(captions, 'start', -1),
    '.': () => nudge(captions, 'start', 1),
    '<': () => nudge(captions, 'end', -1),
    '>': () => nudge(captions, 'end', 1),
    F2: () => captions.edit(current()),
    Enter: () => captions.play(),
    Escape: onClose,
    // Disables the text's shortcuts below.
    Delete: () => undefined,
    Backspace: () => undefined,
    c: () => undefined,
    C: () => undefined,
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = keys[event.key]
    const isPressed = event.key === 'Enter' && event.target instanceof Element && event.target.closest('button, a')
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey || isPressed || isUsedByFocus(event))
      return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    // Captures keys before the page's own shortcuts, which skip handled events.
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [])
}
