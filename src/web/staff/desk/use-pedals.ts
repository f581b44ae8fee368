import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Playback } from '../../transcript/player/playback.ts'
import { PedalActions } from './pedal-actions.ts'
import type { Pedals } from './pedal-devices.ts'

/** Pedals connected over WebHID. */
export type PedalUse = {
  /** false: this browser has no WebHID */
  isPossible: boolean
  /** names of the connected and permitted pedals */
  names: readonly string[]
  problem: string | null
  choose: () => Promise<void>
}

/** Pedals at the desk: listens to previously chosen ones immediately; the code is loaded only if there is one. */
export function usePedals(playback: Playback): PedalUse {
  const [names, setNames] = useState<readonly string[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const pedals = useRef<Promise<Pedals> | null>(null)
  const isPossible = 'hid' in navigator
  const open = async () => {
    const { openPedals } = await import('./pedal-devices.ts')
    const opened = await openPedals(navigator.hid, new PedalActions(playback), async () => {
      const now = (await pedals.current)?.names() ?? []
      setNames(now)
      setProblem(now.length === 0 ? 'The pedal is not plugged in any more. Plug it in again to go on.' : null)
    })
    setNames(opened.names())
    return opened
  }
  const openOnce = () => {
    pedals.current ??= open().catch((error: unknown) => {
      pedals.current = null
      throw error
    })
    return pedals.current
  }
  const openKnown = useEffectEvent(async (isLeft: () => boolean) => {
    if (isPossible && (await navigator.hid.getDevices()).length > 0 && !isLeft()) await openOnce()
  })
  useEffect(() => {
    let isLeft = false
    // Typing works without pedals.
    void openKnown(() => isLeft).catch(() => undefined)
    return () => {
      isLeft = true
      void pedals.current?.then((opened) => opened.close()).catch(() => undefined)
      pedals.current = null
    }
  }, [])
  const choose = async () => {
    try {
      const opened = await openOnce()
      const { chosen, known } = await opened.choose()
      setNames(opened.names())
      setProblem(chosen > known ? 'Parley does not know this device, or another program uses it.' : null)
    } catch (error) {
      setProblem(`The pedal cannot be used: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { isPossible, names, problem, choose }
}
