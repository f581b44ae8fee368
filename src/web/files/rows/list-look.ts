import { preferencesNow } from '../../preferences/preferences.ts'

/* The look of the list of files and the heights of its lines, in pixels. */

const fileHeights = { comfortable: 52, compact: 40 }
/** A file on a phone. */
export const cardHeight = 122
export const dayHeight = 29

/** A file in the table, as dense as the account wants its lists. */
export function fileHeight(): number {
  return fileHeights[preferencesNow().density]
}

export const gridClass = 'rounded-lg border border-line bg-surface'

/** What holds the lines, below the headings where there are any. */
export function rowsClass(isPhone: boolean): string {
  return `relative overflow-clip rounded-b-lg ${isPhone ? 'rounded-t-lg' : '-mt-px'}`
}
