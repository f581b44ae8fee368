import { createBrowserRouter, redirect } from 'react-router'
import { environments } from '../../contract/interface/environment.ts'
import { retryLoading } from '../base/ui/load-failure.ts'
import { NotFound, RouteError } from '../shell/route-error.tsx'
import { getSession, pathOf } from '../signed-in/session/session.ts'

/** If this fails, the page itself reports it when it is opened. */
function loadFirstPage(): void {
  import('./first-page.ts').catch(() => undefined)
}

const importSignIn = () => import('../screens/sign-in/sign-in-route.tsx')

const loadPages = async () => (await import('./signed-in-routes.tsx')).signedInRoutes

/**
 * Creates the router. The routes behind the sign-in are included from the start if the URL is one of them or somebody
 * is signed in; else they are added once a key is checked, so that the sign-in page does not load them. React Router's
 * `patchRoutesOnNavigation` is no substitute: it runs on every change of a URL with a parameter, as all of ours have,
 * and delays fields that are stored in the URL.
 */
export async function makeRouter() {
  const { pathname } = window.location
  const named = environments.find((one) => pathname.startsWith(`/${one}/`))
  if (named !== undefined && getSession(named) === null) {
    const { joinSession } = await import('../signed-in/session/shared-session.ts')
    await joinSession(named)
  }
  let isWhole = named !== undefined || environments.some((one) => getSession(one) !== null)
  const addPages = async () => {
    const pages = await loadPages()
    if (!isWhole) router.patchRoutes('root', [pages])
    isWhole = true
  }
  const startAdding = () => {
    loadFirstPage()
    addPages().catch(() => undefined)
  }
  const router = createBrowserRouter([
    {
      id: 'root',
      ErrorBoundary: RouteError,
      children: [
        {
          path: '/',
          loader: () => {
            const environment = environments.find((one) => getSession(one) !== null)
            return redirect(environment ? `/${environment}/files` : '/sign-in')
          },
        },
        {
          path: '/sign-in',
          lazy: async () => {
            const { SignIn } = await importSignIn().catch(() => retryLoading(importSignIn))
            return { element: <SignIn onCheck={startAdding} beforeEntry={addPages} /> }
          },
        },
        ...(isWhole ? [await loadPages()] : []),
        {
          path: '*',
          loader: async ({ request }) => {
            if (isWhole) return null
            await addPages()
            return redirect(pathOf(request))
          },
          Component: NotFound,
        },
      ],
    },
  ])
  return router
}
