import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import * as z from 'zod/mini'
import { onKeyRefused } from '../base/api/client.ts'
import { queryClient } from '../base/api/query-client.ts'
import { retryLoading } from '../base/ui/load-failure.ts'
import { applyPreferences } from '../signed-in/preferences/preferences.ts'
import { dropRefusedKey } from '../signed-in/session/session.ts'
import { makeRouter } from './routes.tsx'

// The page's CSP forbids eval, which zod would otherwise try.
z.config({ jitless: true })
applyPreferences()
onKeyRefused(dropRefusedKey)

/** Renders the URL's page once it has loaded; until then, the page shows what was drawn early, or nothing. */
function start(router: Awaited<ReturnType<typeof makeRouter>>): void {
  if (router.state.initialized) render(router)
  else {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return
      stop()
      render(router)
    })
  }
}

function render(router: Awaited<ReturnType<typeof makeRouter>>): void {
  const root = document.getElementById('root')
  if (!root) return
  const show = () =>
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
    )
  // In a transition, React renders in short slices, so that a slow phone still responds to touch. But data arriving in
  // the meantime restarts it and delays the first rows by a quarter; elsewhere one long task goes unnoticed.
  if (matchMedia('(pointer: coarse)').matches) startTransition(show)
  else show()
}

/** Prefetches a transcript's code when a link to one is hovered or focused. */
function fetchAhead({ target }: Event): void {
  if (!(target instanceof Element && target.closest('[role="row"][data-id]'))) return
  for (const kind of preloadEvents) document.removeEventListener(kind, fetchAhead)
  // If it fails, the page itself reports it when it is opened.
  import('./first-transcript.ts').catch(() => undefined)
}
const preloadEvents = ['pointerover', 'focusin'] as const
for (const kind of preloadEvents) document.addEventListener(kind, fetchAhead)

// Not awaited: the route map may import this module's own file.
const router = makeRouter().catch(() => retryLoading(makeRouter))
void router.then(start)
