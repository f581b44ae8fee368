import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

/** Paths and their content: `{ '/window': ['text/html', '<!doctype …'] }`. */
export type BarePages = Record<string, readonly [type: string, body: string | Buffer]>

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }

/** The minimal file table, built: `/` and its script. */
export async function bareTable(): Promise<BarePages> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bare-'))
  await build({
    configFile: false,
    logLevel: 'warn',
    root: join(import.meta.dirname, 'bare-table'),
    plugins: [react()],
    build: { outDir: folder, emptyOutDir: true },
  })
  const pages: BarePages = {}
  for (const name of await readdir(folder, { recursive: true })) {
    const type = types[extname(name)]
    if (type !== undefined) pages[`/${name}`.replace('/index.html', '/')] = [type, readFileSync(join(folder, name))]
  }
  await rm(folder, { recursive: true })
  return pages
}

/**
 * Serves bare pages with the service's compression: built files at brotli's best, JSON at a fast level. All other paths
 * go to the service, so that pages can request it under the same origin.
 */
export async function serveBare(pages: BarePages, service?: URL): Promise<{ url: URL; server: Server }> {
  const packed = Object.entries(pages).map(([path, [type, body]]) => {
    const quality = type === 'application/json' ? 5 : constants.BROTLI_MAX_QUALITY
    return [
      path,
      { type, body: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }) },
    ] as const
  })
  const answers = new Map(packed)
  const server = createServer((incoming, outgoing) => {
    const page = answers.get(incoming.url ?? '/')
    if (page !== undefined) {
      outgoing.writeHead(200, { 'content-type': page.type, 'content-encoding': 'br' }).end(page.body)
    } else if (service === undefined) {
      outgoing.writeHead(404).end()
    } else {
      const url = new URL(incoming.url ?? '/', service)
      request(url, { method: incoming.method, headers: incoming.headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      }).end()
    }
  })
  // Data handed to a slow line has not arrived there yet.
  server.keepAliveTimeout = 300_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), server }
}
