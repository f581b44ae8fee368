/** Style guides with caption rules. A file of its own: pages name rules before they need their schemas. */
export const captionStyleNames = { parley: 'Parley', netflix: 'Netflix', bbc: 'BBC', dcmp: 'DCMP' } as const
export type CaptionStyleName = keyof typeof captionStyleNames
export const captionStyleIds = Object.keys(captionStyleNames) as CaptionStyleName[]
