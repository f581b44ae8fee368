import { ServiceError } from '../service-error.ts'

/**
 * Methods of the two resources (spec 4.1, 4.6; decision 6: HEAD of the collection is allowed, POST of a file is not).
 */
const resources = [
  { path: /^files$/, methods: 'GET, HEAD, POST' },
  { path: /^file\/[^/]+$/, methods: 'GET, HEAD, DELETE' },
] as const

/** The answer to a request below `/v1/` that matches no route: 405 for a resource, 404 for anything else. */
export function refusal(method: string, pathBelowBase: string): ServiceError {
  const resource = resources.find(({ path }) => path.test(pathBelowBase))
  if (resource === undefined) {
    return new ServiceError(404, 'There is no such resource. Version 1 has files and file/<id>.')
  }
  const { methods } = resource
  return new ServiceError(405, `${method} is not allowed here. Allowed methods: ${methods}.`, { allow: methods })
}
