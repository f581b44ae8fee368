import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

/** The baseline of an upload: a node:http server that pipes each body to the given file, and prints its port. */
const path = process.argv[2] ?? ''
const server = createServer(async (request, response) => {
  await pipeline(request, createWriteStream(path))
  response.writeHead(201).end()
})
server.listen(0, '127.0.0.1', () => console.log(String((server.address() as AddressInfo).port)))
