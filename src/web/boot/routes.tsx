import { createBrowserRouter, redirect } from 'react-router'
import { environments } from '../../contract/interface/environment.ts'
import { SignIn } from '../screens/sign-in/sign-in-route.tsx'
import { NotFound, RouteError } from '../shell/route-error.tsx'
import { sessionOf } from '../signed-in/session/session.ts'

/** If this fails, the page itself says so when it is opened. */
function loadFirstPage(): void {
  import('./first-page.ts').catch(() => undefined)
}

const loadPages = async () => (await import('./signed-in-routes.tsx')).signedInRoutes

/**
 * The router. The map of the pages behind the sign-in is there from the start where the address names one of them, or
 * somebody is signed in; else it is added when a key is checked, so that the sign-in page does not load it. React Router's
 * `patchRoutesOnNavigation` is no substitute: it runs on every change of an address with a parameter, as all of ours have,
 * and delays fields that are kept in the address.
 */
export async function makeRouter() {
  const { pathname } = window.location
  let isWhole = environments.some((one) => pathname.startsWith(`/${one}/`) || sessionOf(one) !== null)
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
            const environment = environments.find((one) => sessionOf(one) !== null)
            return redirect(environment ? `/${environment}/files` : '/sign-in')
          },
        },
        { path: '/sign-in', element: <SignIn onCheck={startAdding} beforeEntry={addPages} /> },
        ...(isWhole ? [await loadPages()] : []),
        {
          path: '*',
          loader: async ({ request }) => {
            if (isWhole) return null
            await addPages()
            const { pathname, search } = new URL(request.url)
            return redirect(pathname + search)
          },
          Component: NotFound,
        },
      ],
    },
  ])
  return router
}
