/**
 * Begins to load the code of the page that people come to, the list of files in its frame, while something else is
 * waited for. Where that fails the page itself says so when it is opened.
 */
export function loadFirstPage(): void {
  for (const piece of [import('./shell/shell-route.tsx'), import('./files/files-route.tsx')])
    piece.catch(() => undefined)
}
