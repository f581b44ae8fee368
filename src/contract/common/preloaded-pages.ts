/**
 * Pages whose code the HTML asks for at once, by their path below an environment, as the dashboard's router writes it. The
 * build marks the links of each, the service leaves out those of the others.
 */
export const preloadedPages = { files: 'files', transcript: 'files/:id' } as const
export type PreloadedPage = keyof typeof preloadedPages
