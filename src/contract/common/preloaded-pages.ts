/**
 * Pages whose code the HTML preloads, by their path below an environment, as in the dashboard's router. The build tags
 * the preload links of each page; the service removes those of the others.
 */
export const preloadedPages = { files: 'files', transcript: 'files/:id' } as const
export type PreloadedPage = keyof typeof preloadedPages
