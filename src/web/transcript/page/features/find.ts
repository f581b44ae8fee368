import { findKeys } from '../../desk/page-keys.ts'
import { type Feature, oncePerPage } from '../feature.ts'

/** The find field in the header. */
export const findInput = oncePerPage((): { current: HTMLInputElement | null } => ({ current: null }))

/** Find in the text; its field is in the header. */
export const find: Feature = {
  name: 'find',
  keys: (page) =>
    findKeys(() => {
      const { current } = findInput(page)
      current?.focus()
      current?.select()
    }),
}
