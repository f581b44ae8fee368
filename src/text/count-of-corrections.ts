import type { CorrectionSet } from '../contract/account/corrections.ts'

type Counted = { patches: { readonly length: number } } & Pick<CorrectionSet, 'baseNames' | 'names'>

/** How many corrections these are; a renamed speaker is one, however often it speaks. */
export function countOfCorrections({ patches, baseNames, names }: Counted): number {
  return patches.length + baseNames.filter((name, index) => name !== names[index]).length
}
