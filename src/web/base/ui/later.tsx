import { type ComponentType, type ReactNode, Suspense, use, useState } from 'react'
import { showLoadFailure } from './load-failure.ts'

/** Code that is loaded when it is first wanted, so that no page waits for it. */
export type LaterModule<Module> = {
  /** Begins to load it, for example when somebody points at what needs it. If that fails a message says so. */
  load: () => Promise<Module>
  /** What is loaded, or null. */
  loaded: () => Module | null
  /** In a component below {@link Later}: waits until it is loaded. */
  use: () => Module
}

/** Has a module loaded later: the one way in which parts of a page are left out of its first code. */
export function later<Module>(importModule: () => Promise<Module>): LaterModule<Module> {
  let loading: Promise<Module> | null = null
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
  return { load, loaded: () => loaded, use: () => use(load()) }
}

/** A component of a module that is loaded later, see {@link later}. */
export function laterPart<Props extends object>(importPart: () => Promise<ComponentType<Props>>) {
  const part = later(importPart)
  return function Part(props: Props) {
    const Loaded = part.use()
    return <Loaded {...props} />
  }
}

type Props = { wanted: boolean; children: ReactNode }

/** Shows nothing until it is wanted for the first time, and from then on its children, once their code is loaded. */
export function Later({ wanted, children }: Props) {
  const [wasWanted, setWasWanted] = useState(wanted)
  if (wanted && !wasWanted) setWasWanted(true)
  return wasWanted || wanted ? <Suspense>{children}</Suspense> : null
}
