/** Style guides with caption rules. A file of its own: pages name rules before they need their schemas. */
export const captionHouseNames = { parley: 'Parley', netflix: 'Netflix', bbc: 'BBC', dcmp: 'DCMP' } as const
export type CaptionHouseName = keyof typeof captionHouseNames
export const captionHouseIds = Object.keys(captionHouseNames) as CaptionHouseName[]
