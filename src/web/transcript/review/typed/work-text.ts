import type { FileWork } from '../../../../contract/account/manual-work.ts'
import { countOf, countText } from '../../../base/ui/sizes.ts'

/** `12 of 14 parts typed, 5 reviewed; 2 blanks` */
export function workText({ parts, typed, reviewed, is_checked, blanks }: FileWork): string {
  const done =
    typed === 0
      ? `${countOf(parts, 'part')}, none typed yet`
      : `${countText(typed)} of ${countOf(parts, 'part')} typed, ${
          is_checked ? 'checked as a whole' : `${reviewed === 0 ? 'none' : countText(reviewed)} reviewed`
        }`
  return blanks === 0 ? done : `${done}; ${countOf(blanks, 'blank')}`
}
