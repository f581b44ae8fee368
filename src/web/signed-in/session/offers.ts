import { type Environment, environments } from '../../../contract/interface/environment.ts'

/*
 * What can be known before there is a key to ask with stands at the root element of the page; a page without it, as
 * Vite serves it, offers all.
 */

/** The environments of this service. */
export function offeredEnvironments(): readonly Environment[] {
  const named = document.documentElement.dataset.environments
  return named === undefined ? environments : environments.filter((one) => named.split(' ').includes(one))
}

/** The environment to switch to; null if there is one only. */
export function otherEnvironment(environment: Environment): Environment | null {
  return offeredEnvironments().find((one) => one !== environment) ?? null
}

/** Whether the service opens demo accounts. */
export function offersDemo(): boolean {
  return document.documentElement.dataset.demo !== 'false'
}

/** Live or Sandbox, as people read it. */
export function environmentName(environment: Environment): string {
  return environment === 'live' ? 'Live' : 'Sandbox'
}
