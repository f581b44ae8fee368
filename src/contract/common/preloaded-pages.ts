/**
 * Pages whose code the HTML preloads, by their path below an environment, as in the dashboard's router. The build tags
 * the preload links of each page; the service removes those of the others.
 */
export const preloadedPages = { files: 'files', transcript: 'files/:id' } as const
/** The captions of a transcript, below its path. */
export const captionsPath = 'captions'
export type PreloadedPage = keyof typeof preloadedPages
