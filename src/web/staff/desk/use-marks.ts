import { useEffect, useState } from 'react'
import type { DeskPart } from '../../../contract/work/parts.ts'
import type { PartDesk } from './part-desk.ts'
import type { TextMarks } from './text-marks.ts'

/** The marks of an open part; null until they are loaded, which is after the text is ready for typing. */
export function useMarks(open: PartDesk, part: DeskPart): TextMarks | null {
  const [marks, setMarks] = useState<TextMarks | null>(null)
  useEffect(() => {
    let stop: (() => void) | null = null
    let isLeft = false
    const begin = async () => {
      const { findMarks } = await import('./text-marks.ts')
      if (isLeft) return
      const made = findMarks(open, part)
      stop = made.start()
      setMarks(made)
    }
    // Typing works without them.
    void begin().catch(() => undefined)
    return () => {
      isLeft = true
      stop?.()
    }
  }, [open, part])
  return marks
}
