import { type ComponentType, type ReactNode, Suspense, use, useState } from 'react'
import { retryLoading } from './load-failure.ts'

/** A lazily loaded module, so that no page waits for it. */
export type LaterModule<Module> = {
  /** Starts loading it, for example when its trigger is hovered. Retries, and shows a message if that fails. */
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
  const attempt = async () => {
    loaded = await importModule()
    return loaded
  }
  /** Retries; `onNotice` is called once somebody is told that it takes longer. */
  const start = (onNotice?: () => void) => attempt().catch(() => retryLoading(attempt, onNotice))
  /** What somebody pressed is not done so much later: its callers then wait for ever, and a later call loads again. */
  const load = () => {
    loading ??= new Promise((resolve) => {
      const giveUp = () => {
        loading = null
        resolve(new Promise<never>(() => {}))
      }
      void start(giveUp).then(resolve)
    })
    return loading
  }
  /** What is to be shown is shown once its code is there. */
  const show = () => {
    shown ??= start()
    return shown
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
