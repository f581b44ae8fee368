import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type * as z from 'zod/mini'
import type { Caller } from '../../accounts/auth/authenticate.ts'
import type { Platform } from '../../platform/platform.ts'
import type { JsonAnswer, Operation, OperationRow } from './operation.ts'
import { readBody } from './read-request.ts'

/** A handler's input: path parameters by name, and the body as parsed by its schema. */
type Context<Params, Body> = {
  platform: Platform
  caller: Caller
  params: Params
  body: Body
  request: FastifyRequest
  reply: FastifyReply
}

type ParamsIn<Call> = Call extends `${string}{${infer Name}}${infer Rest}`
  ? Record<Name, string> & ParamsIn<Rest>
  : unknown

type BodyRead<Body> = Body extends z.core.$ZodType ? z.infer<Body> : undefined

/** A handler's return type by response: the schema's type; nothing for 204; a reply for anything but JSON. */
type Returned<Answer> = Answer extends z.core.$ZodType
  ? z.infer<Answer>
  : Answer extends JsonAnswer<infer Schema>
    ? z.infer<Schema>
    : FastifyReply

type Success = 200 | 201 | 202
// biome-ignore lint/suspicious/noConfusingVoidType: only ever a return type
type ReturnedFor<Answers> = Answers extends { 204: unknown } ? void : Returned<Answers[keyof Answers & Success]>

/** A route together with its description, so that `/openapi.json` always matches what is registered. */
export type Route = OperationRow & {
  /** bytes */
  bodyLimit?: number
  handler(context: Context<unknown, unknown>): unknown
}

/**
 * Defines a route. Its handler receives the body as parsed by `body` (400 otherwise), and returns the payload of the
 * 200, 201 or 202 response; the status is set automatically.
 */
export function route<
  const Call extends OperationRow['call'],
  Answers extends OperationRow['answers'],
  Body extends OperationRow['body'] = undefined,
>(
  given: Omit<OperationRow, 'call' | 'answers' | 'body'> & {
    call: Call
    answers: Answers
    body?: Body
    bodyLimit?: number
    handler(
      context: Context<ParamsIn<Call>, BodyRead<Body>>,
    ): ReturnedFor<NoInfer<Answers>> | Promise<ReturnedFor<NoInfer<Answers>>>
  },
): Route {
  return given as Route
}

const isSchema = (body: Operation['body'] | z.core.$ZodType): body is z.core.$ZodType =>
  body !== undefined && '_zod' in body

/** Registers routes below the prefix of `app`. */
export function addRoutes(app: FastifyInstance, platform: Platform, routes: readonly Route[]): void {
  for (const { call, answers, body, bodyLimit, handler } of routes) {
    const [method = '', path = ''] = call.split(' ')
    const status = Math.min(...Object.keys(answers).map(Number))
    const schema = isSchema(body) ? body : null
    app.route({
      method: method.toUpperCase() as HTTPMethods,
      url: path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1'),
      ...(bodyLimit !== undefined && { bodyLimit }),
      handler: async (request, reply) => {
        const { caller, params } = request
        const read = schema === null ? undefined : readBody(schema, request)
        const result = await handler({ platform, caller, params, body: read, request, reply })
        if (result === reply) return reply
        reply.code(status)
        return status === 204 ? reply.send() : result
      },
    })
  }
}
