import { type ComponentType, type ReactNode, Suspense, use, useState } from 'react'
import { showLoadFailure } from './load-failure.ts'

/** A lazily loaded module, so that no page waits for it. */
export type LaterModule<Module> = {
  /** Starts loading it, for example when its trigger is hovered. Shows a message if that fails. */
  load: () => Promise<Module>
  /** The module, or null if it is not loaded. */
  loaded: () => Module | null
  /** For components below {@link Later}: suspends until it is loaded. */
  use: () => Module
}

/** Loads a module lazily: the only way to split code out of a page's initial chunk. */
export function later<Module>(importModule: () => Promise<Module>): LaterModule<Module> {
  let loading: Promise<Module> | null = null
  let shown: Promise<Module> | null = null
  let loaded: Module | null = null
  async function start(): Promise<Module> {
    try {
      loaded = await importModule()
      return loaded
    } catch {
      // A later call retries; pending callers render nothing.
      loading = null
      showLoadFailure()
      return await new Promise<never>(() => {})
    }
  }
  const load = () => {
    loading ??= start()
    return loading
  }
  /** What is to be shown comes once there is a connection; what somebody pressed is not done so much later. */
  async function loadOnline(): Promise<Module> {
    try {
      loaded = await importModule()
      return loaded
    } catch {
      await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
      return await load()
    }
  }
  const show = () => {
    if (loading === null && !navigator.onLine) shown ??= loadOnline()
    return shown ?? load()
  }
  return { load, loaded: () => loaded, use: () => use(show()) }
}

/** A lazily loaded component, see {@link later}. */
export function laterPart<Props extends object>(importPart: () => Promise<ComponentType<Props>>) {
  const part = later(importPart)
  return function Part(props: Props) {
    const Loaded = part.use()
    return <Loaded {...props} />
  }
}

type Props = { wanted: boolean; children: ReactNode }

/** Renders nothing until first wanted, and from then on its children, once their code is loaded. */
export function Later({ wanted, children }: Props) {
  const [wasWanted, setWasWanted] = useState(wanted)
  if (wanted && !wasWanted) setWasWanted(true)
  return wasWanted || wanted ? <Suspense>{children}</Suspense> : null
}
