import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { expect, it } from 'vitest'
import { startTestService } from '../../testing/test-service.ts'
import { openApiDocument } from './document.ts'

/** The documented interfaces, live and sandbox; pages, probes and the document itself are excluded. */
const interfaces = /^(?:\/sandbox)?(\/(?:v1|account|uploads|work\/api)\/.*)$/

/** Returns every route registered while `work` runs, as `GET /v1/files`. */
async function routesRegisteredDuring(work: () => Promise<void>): Promise<Set<string>> {
  const routes = new Set<string>()
  const onRoute = ({ method, url }: RouteOptions) => {
    const path = interfaces.exec(url)?.[1]
    if (path === undefined) return
    for (const each of [method].flat()) routes.add(`${each} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  }
  const onInstance = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', onRoute)
  }
  subscribe('fastify.initialization', onInstance)
  try {
    await work()
  } finally {
    unsubscribe('fastify.initialization', onInstance)
  }
  return routes
}

it('has an operation for every route of the interfaces, and a route for every operation', async () => {
  const routes = await routesRegisteredDuring(async () => (await startTestService()).close())
  // A file and its transcript have separate paths in the document, but share a route.
  const operations = Object.entries(openApiDocument().paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${path.replace(/\{file_id\}(\.\{ext\})?$/, '{target}')}`,
    ),
  )
  const withoutRoute = operations.filter((operation) => !routes.has(operation))
  expect(withoutRoute).toEqual([])
  // HEAD of a resource with GET needs no separate description.
  const isOwn = (route: string) => !routes.has(route.replace(/^HEAD /, 'GET ')) || !route.startsWith('HEAD ')
  const withoutOperation = [...routes].filter((route) => isOwn(route) && !operations.includes(route))
  expect(withoutOperation).toEqual([])
})
