import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify'
import type * as z from 'zod/mini'
import { afterRead } from '../../platform/db/hot-reads.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { type Details, isSchema, type JsonAnswer, listStatuses, type OperationRow } from './operation.ts'
import { type QueryField, readBody, refuseUnknownQuery } from './read-request.ts'

type ParamsIn<Call> = Call extends `${string}{${infer Name}}${infer Rest}`
  ? Record<Name, string> & ParamsIn<Rest>
  : unknown

type QueryRead<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends QueryField<infer Value> ? Value : never
}

/** Path parameters and query by name, and the body as parsed by its schema. */
type Read<Call, Given> = {
  params: ParamsIn<Call>
  query: Given extends { query: infer Fields } ? QueryRead<Fields> : unknown
  body: Given extends { body: infer Body extends z.core.$ZodType } ? z.infer<Body> : undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** A handler's return type by response: the schema's type; nothing for 204; a reply for anything but JSON. */
type Returned<Answer> = Answer extends z.core.$ZodType
  ? z.infer<Answer>
  : Answer extends JsonAnswer<infer Schema>
    ? z.infer<Schema>
    : FastifyReply

type Success = 200 | 201 | 202
type ReturnedFor<Given> =
  | (keyof Given & Success extends never ? undefined : Returned<Given[keyof Given & Success]>)
  | (Given extends { 304: unknown } ? FastifyReply : never)
type Handled<Given> =
  ReturnedFor<Given> extends undefined ? Promise<void> : ReturnedFor<Given> | Promise<ReturnedFor<Given>>

/** What Fastify is given beside the method, the path and the handler. */
type Http = Partial<Pick<RouteOptions, 'bodyLimit' | 'config' | 'exposeHeadRoute' | 'method' | 'url'>>

/** A route together with its description, so that `/openapi.json` always matches what is registered. */
export type Route<Own> = OperationRow & {
  http?: Http
  /** @param own what every route of the interface is given */
  answer(own: Own, request: FastifyRequest, reply: FastifyReply): unknown
}

/**
 * How routes of an interface are written: call, summary, details, handler. The handler returns the payload of the 200,
 * 201 or 202 answer, and nothing for a 204; the status is set before it.
 * @param prepare makes what handlers are given from what the interface has, before query and body are read (else 400)
 * @param fixed details of all its routes
 */
export function routeFor<Own, Given extends object>(
  prepare: (own: Own, request: FastifyRequest) => Given | Promise<Given>,
  fixed: Pick<Details, 'authenticated' | 'withinProjects'> = {},
) {
  return function route<const Call extends OperationRow['call'], Described extends Details & { http?: Http }>(
    call: Call,
    summary: string,
    details: Described,
    handler: (context: Given & Read<Call, NoInfer<Described>>) => Handled<NoInfer<Described>>,
  ): Route<Own> {
    const { query = {}, body } = details
    const status = Math.min(...listStatuses(details))
    const described = (details.parameters ?? []).filter((parameter) => parameter.in === 'query')
    const known = [...Object.keys(query), ...described.map(({ name }) => name)]
    const read = (request: FastifyRequest, reply: FastifyReply) => ({
      params: request.params,
      query: Object.fromEntries(Object.entries(query).map(([name, field]) => [name, field.read(request, name)])),
      body: body !== undefined && isSchema(body) ? readBody(body, request) : undefined,
      ...{ request, reply },
    })
    const answer: Route<Own>['answer'] = (own, request, reply) =>
      afterRead(prepare(own, request), (given) => {
        refuseUnknownQuery(request, known)
        reply.code(status)
        return handler({ ...given, ...read(request, reply) } as Parameters<typeof handler>[0])
      })
    return { ...fixed, ...details, call, summary, answer }
  }
}

/**
 * The error for a request that matches no route of an interface: 405 for a resource that has other methods, else 404.
 * @param base what the paths of `routes` are below @param words of the 404
 */
export function noSuchRoute(
  routes: readonly (OperationRow & { http?: Http })[],
  { method, url }: FastifyRequest,
  { base, words }: { base: string; words: string },
): ServiceError {
  const below = new URL(url, 'http://any').pathname.slice(base.replace(/\/$/, '').length)
  const here = routes.filter(({ call }) => patternOf(call.split(' ')[1] ?? '').test(below))
  if (here.length === 0) return new ServiceError(404, words)
  const methods = here.flatMap(({ call, http }) => {
    const verbs = [http?.method ?? call.split(' ', 1)[0]?.toUpperCase() ?? ''].flat()
    return verbs.includes('GET') && http?.exposeHeadRoute !== false ? [...verbs, 'HEAD'] : verbs
  })
  return notAllowed(method, [...new Set(methods)].join(', '))
}

/** @param allow methods, separated by commas */
export const notAllowed = (method: string, allow: string): ServiceError =>
  new ServiceError(405, `${method} is not allowed here. Allowed methods: ${allow}.`, { allow })

const patternOf = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)

/** Registers routes below the prefix of `app`. Rows without a handler only describe what another route answers. */
export function addRoutes<Own>(
  app: FastifyInstance,
  routes: readonly (Route<Own> | OperationRow)[],
  own: (request: FastifyRequest) => Own,
): void {
  for (const route of routes) {
    if (!('answer' in route)) continue
    const { call, http, answer, right = 'read', withinProjects = false, whileClosed = false } = route
    const [method = '', path = ''] = call.split(' ')
    app.route({
      method: method.toUpperCase() as HTTPMethods,
      url: path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1'),
      ...http,
      config: { ...http?.config, needs: { right, withinProjects, whileClosed } },
      handler: (request, reply) => answer(own(request), request, reply),
    })
  }
}
