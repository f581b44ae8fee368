import type { FeatureParts, OpenPage } from './feature.ts'
import { features } from './features/features.tsx'

type Props = { at: keyof FeatureParts; page: OpenPage; only?: string | null }

/** Renders the features' parts for one slot. @param only this feature's, or none; omitted: all */
export function Parts({ at, page, only }: Props) {
  return features.map((feature) => {
    const Part = feature[at]
    return Part && (only === undefined || only === feature.name) && <Part key={feature.name} {...page} />
  })
}
