import { type LoaderFunction, type RouteObject, redirect } from 'react-router'
import { captionsPath, preloadedPages } from '../../contract/common/preloaded-pages.ts'
import { environments } from '../../contract/interface/environment.ts'
import type { Session } from '../base/api/client.ts'
import { whenIdle } from '../base/state/when-idle.ts'
import { loadLoader, loadPage, twice } from '../shell/late-page.tsx'
import { PageError } from '../shell/page-error.tsx'
import { NotFound } from '../shell/route-error.tsx'
import type { PageHandle } from '../shell/shell-route.tsx'
import { getSession, pathOf, requireSession } from '../signed-in/session/session.ts'

/** How long the list of files waits for its first rows: faster than rendering it without them first. */
const firstRowsMs = 500

const page = (handle: PageHandle): PageHandle => handle

/** Sends corrections that exist only on this device; if that fails, they wait here for the next visit. */
async function sendUnsent(session: Session): Promise<void> {
  const { correctedFiles } = await import('../signed-in/library/corrected-files.ts')
  if (correctedFiles(session).size === 0) return
  const { sendUnsentCorrections } = await import('../transcript/sync/outbox.ts')
  sendUnsentCorrections(session)
}

/**
 * Loads a page and its loader from two modules in parallel. A loader runs as soon as its own module is loaded: if the
 * page's module exported it, it would wait for all of the page's code.
 */
function sideBySide(
  loader: () => Promise<{ loader: LoaderFunction }>,
  page: () => Promise<{ Component: React.ComponentType }>,
) {
  return {
    loader: loadLoader(loader),
    Component: async () => (await loadPage(page)()).Component,
  }
}

/** The whole path of a page whose address was typed without its environment, `/settings`; null for any other. */
function addEnvironment(request: Request): string | null {
  const path = pathOf(request)
  const pages = signedInRoutes.children?.[0]?.children ?? []
  const name = /[^/?#]+/.exec(path)?.[0]
  if (!pages.some((page) => page.path !== '*' && page.path?.split('/')[0] === name)) return null
  const environment = environments.find((one) => getSession(one) !== null) ?? 'live'
  return `/${environment}${path}`
}

const loadBatchPage = () => import('../screens/files/batch/batch-route.tsx')

/**
 * The pages behind the sign-in, each loaded lazily. This map is in a separate file for code splitting (`routes.tsx`).
 */
export const signedInRoutes: RouteObject = {
  path: '/:environment',
  loader: ({ params, request }) => {
    const path = addEnvironment(request)
    if (path !== null) return redirect(path)
    const session = requireSession(params, request)
    // Starts loading the files while the screen's code is still loading.
    void import('../signed-in/library/live.ts').then(({ getLive }) => getLive(session))
    whenIdle(() => sendUnsent(session).catch(() => undefined))
    return null
  },
  lazy: twice(() => import('../shell/shell-route.tsx')),
  // Search and sort order are in the URL, too, and need nothing from this loader.
  shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
  children: [
    {
      // Inside the shell: a page that fails leaves navigation and uploads.
      ErrorBoundary: PageError,
      children: [
        {
          index: true,
          loader: ({ params, request }) => redirect(addEnvironment(request) ?? `/${params.environment}/files`),
        },
        {
          path: preloadedPages.files,
          handle: page({ title: 'Files' }),
          loader: async ({ params, request }) => {
            const { getLive } = await import('../signed-in/library/live.ts')
            const soon = new Promise((resolve) => setTimeout(resolve, firstRowsMs))
            const { library } = getLive(requireSession(params, request))
            library.open()
            await Promise.race([library.firstRows, soon])
            return null
          },
          shouldRevalidate: () => false,
          lazy: loadPage(() => import('../screens/files/files-route.tsx')),
        },
        {
          path: 'projects',
          handle: page({ title: 'Projects' }),
          lazy: loadPage(() => import('../screens/files/projects/projects-route.tsx')),
        },
        {
          path: 'projects/:id',
          handle: page({ title: 'Project' }),
          lazy: loadPage(() => import('../screens/files/projects/project-route.tsx')),
        },
        {
          path: 'order',
          handle: page({ title: 'New order', panel: true }),
          lazy: sideBySide(
            () => import('../screens/order/order-loader.ts'),
            () => {
              // The press leads there, also if the connection is lost by then.
              whenIdle(() => loadBatchPage().catch(() => undefined))
              return import('../screens/order/order-route.tsx')
            },
          ),
        },
        {
          path: 'order/:batch',
          handle: page({ title: 'Order' }),
          lazy: loadPage(loadBatchPage),
        },
        {
          path: preloadedPages.transcript,
          handle: page({ rail: true }),
          // The captions cover the same open text.
          children: [{ path: captionsPath }],
          // The words that the loader prefetches are for a single opening of the page.
          shouldRevalidate: () => false,
          lazy: {
            ...sideBySide(
              () => import('../transcript/page/transcript-loader.ts'),
              () => import('../transcript/page/transcript-route.tsx'),
            ),
            ErrorBoundary: () =>
              import('../transcript/page/transcript-route.tsx').then(
                ({ ErrorBoundary }) => ErrorBoundary,
                () => PageError,
              ),
          },
        },
        {
          path: 'files/:id/receipt',
          handle: page({ title: 'Receipt' }),
          lazy: sideBySide(
            async () => ({ loader: (await import('../signed-in/library/use-file.ts')).fileLoader }),
            () => import('../screens/receipts/file-receipt-route.tsx'),
          ),
        },
        {
          path: 'paid-in/:id',
          handle: page({ title: 'Receipt' }),
          lazy: loadPage(() => import('../screens/receipts/top-up-receipt-route.tsx')),
        },
        {
          path: 'usage',
          handle: page({ title: 'Usage' }),
          lazy: sideBySide(
            () => import('../screens/usage/usage-loader.ts'),
            () => import('../screens/usage/usage-route.tsx'),
          ),
        },
        {
          path: 'usage/:month',
          handle: page({ title: 'Monthly receipt' }),
          lazy: loadPage(() => import('../screens/receipts/month-receipt-route.tsx')),
        },
        {
          path: 'webhooks',
          handle: page({ title: 'Webhooks' }),
          lazy: sideBySide(
            () => import('../screens/webhooks/webhooks-loader.ts'),
            () => import('../screens/webhooks/webhooks-route.tsx'),
          ),
        },
        {
          path: 'settings',
          handle: page({ title: 'Settings' }),
          lazy: sideBySide(
            () => import('../screens/settings/settings-loader.ts'),
            () => import('../screens/settings/settings-frame.tsx'),
          ),
          children: [
            { path: ':page?', lazy: loadPage(() => import('../screens/settings/settings-route.tsx')) },
            {
              path: 'vocabulary',
              handle: page({ title: 'Vocabulary' }),
              lazy: loadPage(() => import('../screens/vocabulary/vocabulary-route.tsx')),
            },
            {
              path: 'log',
              handle: page({ title: 'Account log' }),
              lazy: loadPage(() => import('../screens/audit-log/log-route.tsx')),
            },
          ],
        },
        { path: '*', Component: NotFound },
      ],
    },
  ],
}
