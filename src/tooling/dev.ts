import { spawn } from 'node:child_process'
import { createServer, type Plugin } from 'vite'

/** `npm run dev`: the service, restarted at each change of its code, behind Vite with hot reload. */
const servicePort = Number(process.env.SERVICE_PORT ?? 4601)
const service = spawn(
  process.execPath,
  [
    '--watch-path=src/service',
    'src/service/parley.ts',
    'serve',
    '--port',
    String(servicePort),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
)

const target = `http://127.0.0.1:${servicePort}`
const paths = [
  '/v1/',
  '/sandbox/v1/',
  '/account/',
  '/work/api/',
  '/sandbox/account/',
  '/uploads/',
  '/sandbox/uploads/',
  '/playback/',
  '/payments/',
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/docs',
]
/** Serves one page at every URL of the staff's pages, as `dashboard.ts` does. */
const workPage: Plugin = {
  name: 'parley:work',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      const isPage = (request.headers.accept ?? '').includes('text/html')
      if (isPage && /^\/work(\/(?!api\/)|$)/.test(request.url ?? '')) request.url = '/work.html'
      next()
    })
  },
}
const vite = await createServer({
  plugins: [workPage],
  server: { port: 4600, strictPort: true, proxy: Object.fromEntries(paths.map((path) => [path, target])) },
})
await vite.listen()
vite.printUrls()

async function stop(): Promise<void> {
  service.kill('SIGTERM')
  await vite.close()
}
process.once('SIGINT', () => void stop())
process.once('SIGTERM', () => void stop())
