import type { ComponentType } from 'react'
import type { LoaderFunction } from 'react-router'
import { ApiError } from '../base/api/client.ts'
import { Signal, useSignal } from '../base/state/signal.ts'
import { PageFailure } from '../base/ui/empty-state.tsx'
import { useOnline } from '../base/ui/use-online.ts'

type PageModule = { Component: ComponentType }
type LoaderModule = { loader: LoaderFunction }

const retryMs = 1_000

/** Loads code once more if that fails: the router remembers a failure until the page is reloaded. */
export function twice<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    try {
      return await load()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, retryMs))
      return await load()
    }
  }
}

/** Loads a page. If its code cannot be loaded, its place says so, and it loads once the connection is back. */
export function loadPage(load: () => Promise<PageModule>): () => Promise<PageModule> {
  return async () => {
    try {
      return await twice(load)()
    } catch {
      return { Component: latePage(load) }
    }
  }
}

function latePage(load: () => Promise<PageModule>): ComponentType {
  const page = new Signal<PageModule | null>(null)
  async function retry() {
    try {
      page.set(await load())
      window.removeEventListener('online', retry)
    } catch {
      // The page still says so, and the next event retries.
    }
  }
  window.addEventListener('online', retry)
  return function LatePage() {
    const isOnline = useOnline()
    const module = useSignal(page)
    return module === null ? <PageFailure message={loadFailureWords(isOnline)} /> : <module.Component />
  }
}

const loadFailureWords = (isOnline: boolean) => (isOnline ? 'Reloading usually helps.' : 'This device is offline.')

/** Loads a page's loader. If its code cannot be loaded, it fails like a request, and the page loads it again. */
export function loadLoader(load: () => Promise<LoaderModule>): () => Promise<LoaderFunction> {
  return async () => {
    try {
      return (await twice(load)()).loader
    } catch {
      return async (args, context) => {
        const { loader } = await load().catch((error: unknown) => {
          throw new ApiError(0, loadFailureWords(navigator.onLine), { cause: error })
        })
        return await loader(args, context)
      }
    }
  }
}
