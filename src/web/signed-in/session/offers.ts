import { type Environment, environments } from '../../../contract/interface/environment.ts'

/*
 * Facts known before there is a key to ask with are attributes of the page's root element; a page without them, as
 * Vite serves it, offers everything.
 */

/** The environments of this service. */
export function offeredEnvironments(): readonly Environment[] {
  const named = document.documentElement.dataset.environments
  return named === undefined ? environments : environments.filter((one) => named.split(' ').includes(one))
}

/** The environment to switch to; null if there is only one. */
export function otherEnvironment(environment: Environment): Environment | null {
  return offeredEnvironments().find((one) => one !== environment) ?? null
}

/** Whether the service opens demo accounts. */
export function offersDemo(): boolean {
  return document.documentElement.dataset.demo !== 'false'
}

/** Whether this service has /docs: a dashboard in front of another service has none, nor demo accounts. */
export function hasDocs(): boolean {
  return offersDemo()
}

/** Names of the operator's pages that are there; each is also its address. */
export function ownPages(): string[] {
  return (document.documentElement.dataset.pages ?? '').split(' ').filter(Boolean)
}

/** Live or Sandbox, for display. */
export function environmentName(environment: Environment): string {
  return environment === 'live' ? 'Live' : 'Sandbox'
}
