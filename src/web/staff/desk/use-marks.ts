import { useEffect, useState } from 'react'
import type { DeskPart } from '../../../contract/work/parts.ts'
import type { PartDesk } from './part-desk.ts'
import type { TextMarks } from './text-marks.ts'

/** The marks of an open part; null until they are loaded, which is after the text is there to be typed in. */
export function useMarks(open: PartDesk, part: DeskPart): TextMarks | null {
  const [marks, setMarks] = useState<TextMarks | null>(null)
  useEffect(() => {
    let stop: (() => void) | null = null
    let isLeft = false
    const begin = async () => {
      const { marksOf } = await import('./text-marks.ts')
      if (isLeft) return
      const made = marksOf(open, part)
      stop = made.start()
      setMarks(made)
    }
    // Without them one types as before.
    void begin().catch(() => undefined)
    return () => {
      isLeft = true
      stop?.()
    }
  }, [open, part])
  return marks
}
