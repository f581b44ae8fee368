import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { pagePolicy } from '../http/security-headers.ts'
import { documentParts, openApiDocument } from './document.ts'

/**
 * `/openapi.json` and its parts by whom they are for (`/openapi/customers.json`); built once at startup, and public.
 */
export async function openApiRoutes(
  app: FastifyInstance,
  { supportEmail }: Pick<Config, 'supportEmail'>,
): Promise<void> {
  const document = openApiDocument(supportEmail)
  const json = JSON.stringify(document)
  const add = (path: string, type: string, text: string) => {
    const body = Buffer.from(text)
    app.get(path, (_request, reply) =>
      reply
        .header('content-type', type)
        .header('cache-control', 'no-cache')
        .header('content-security-policy', pagePolicy)
        .send(body),
    )
  }
  add('/openapi.json', 'application/json; charset=utf-8', json)
  for (const part of documentParts) {
    add(`/openapi/${part}.json`, 'application/json; charset=utf-8', JSON.stringify(openApiDocument(supportEmail, part)))
  }
}
