import './work.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import * as z from 'zod/mini'
import { onKeyRefused } from '../base/api/client.ts'
import { queryClient } from '../base/api/query-client.ts'
import { PageFailure } from '../base/ui/empty-state.tsx'
import { applyPreferences, hasPreferences, preferences, setPreferences } from '../signed-in/preferences/preferences.ts'
import { QueuePage } from './queue-page.tsx'
import { dropRefusedKey } from './staff-session.ts'
import { WorkFrame } from './work-frame.tsx'

// The page's CSP forbids eval, which zod would otherwise try.
z.config({ jitless: true })
applyPreferences()
if (!hasPreferences()) setPreferences({ ...preferences.get(), jumpBackSeconds: 2 })
onKeyRefused(dropRefusedKey)

/** The staff's pages, at `/work`: built separately, so that none of their code is in the customers' pages. */
const router = createBrowserRouter(
  [
    {
      Component: WorkFrame,
      // Nothing until the first page's code is here; without one React Router warns.
      HydrateFallback: () => null,
      ErrorBoundary: () => <PageFailure message={null} />,
      children: [
        { path: '/', Component: QueuePage },
        {
          path: '/orders',
          lazy: async () => ({ Component: (await import('./managers/managers-page.tsx')).ManagersPage }),
        },
        { path: '/pay', lazy: async () => ({ Component: (await import('./managers/pay-page.tsx')).PayPage }) },
        { path: '/parts/:id', lazy: async () => ({ Component: (await import('./desk/desk-page.tsx')).DeskPage }) },
      ],
    },
  ],
  { basename: '/work' },
)

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <CSPProvider disableStyleElements>
          <RouterProvider router={router} />
        </CSPProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
