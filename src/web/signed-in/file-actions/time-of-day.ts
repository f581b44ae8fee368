import { timeOfDay } from '../../../text/clock-time.ts'

/** Seconds of the day as a field shows them: empty for null, with thousandths only if there are any. */
export function shownBeginning(seconds: number | null): string {
  if (seconds === null) return ''
  const thousandths = Math.round((seconds % 1) * 1_000)
  return thousandths === 0 ? timeOfDay(seconds) : `${timeOfDay(seconds)}.${String(thousandths).padStart(3, '0')}`
}

/**
 * Parses `15:06`, `15.06.30`, `9:05:10.48` or `3:06 pm` to seconds of the day; null if the text is empty, undefined if
 * it is no time.
 */
export function parseTimeOfDay(text: string): number | null | undefined {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === '') return null
  const parts = /^(\d{1,2})[:.](\d\d)(?:[:.](\d\d(?:[.,]\d{1,3})?))? ?(am|pm)?$/.exec(trimmed)
  if (parts === null) return undefined
  const [, hourText, minuteText, secondText = '0', half] = parts
  const hour = Number(hourText)
  const [minutes, seconds] = [Number(minuteText), Number(secondText.replace(',', '.'))]
  const hours = half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0)
  const isTime = hours < 24 && minutes < 60 && seconds < 60 && (half === undefined || (hour >= 1 && hour <= 12))
  return isTime ? hours * 3_600 + minutes * 60 + seconds : undefined
}
