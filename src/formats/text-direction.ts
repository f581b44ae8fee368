const strongLetter = /\p{L}/u

/** A letter of a right-to-left script. */
export const rightToLeftLetter = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** True if the first letter of a text is of a right-to-left script. */
export function isRightToLeft(text: string): boolean {
  const first = strongLetter.exec(text)?.[0]
  return first !== undefined && rightToLeftLetter.test(first)
}
