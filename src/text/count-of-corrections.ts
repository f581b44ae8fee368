import type { CorrectionSet } from '../contract/account/corrections.ts'

type Counted = { patches: { readonly length: number } } & Pick<CorrectionSet, 'baseNames' | 'names'>

/** Counts corrections; a renamed speaker counts once, however often they speak. */
export function countOfCorrections({ patches, baseNames, names }: Counted): number {
  return patches.length + baseNames.filter((name, index) => name !== names[index]).length
}
