import type { AddressInfo } from 'node:net'
import fastifyStatic from '@fastify/static'
import fastify from 'fastify'

/**
 * The baseline of the API: bare Fastify. HEAD of a route that sends one constant header of the size of real metadata,
 * and static files of a directory. Prints its port.
 */
const root = process.argv[2] ?? '/nowhere'
const app = fastify()
const metadata = 'm'.repeat(700)
app.head('/file/:id', (_request, reply) => reply.header('x-service-metadata', metadata).send())
await app.register(fastifyStatic, { root, prefix: '/static/' })
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(String((app.server.address() as AddressInfo).port))
