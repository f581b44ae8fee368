/** Everything the service can be told; read from flags and `process.env` in `main.ts` alone. */
export type Config = {
  host: string
  port: number
  dataDir: string
  /** the address customers use, where a proxy stands in front; `https:` turns redirects of plain HTTP on */
  publicUrl: URL | null
  /** another service that this one only puts the dashboard in front of; each address ends in `/v1/` */
  remote: { live: URL; sandbox: URL | null } | null
  tls: { certPath: string; keyPath: string } | null
  /** exact `host:port` that links and webhooks may reach though it is not public; for tests (decision 8) */
  allowTargets: readonly string[]
  /** origins whose pages may call the API from a browser */
  allowOrigins: readonly string[]
  recogniser: 'auto' | 'sherpa' | 'http' | 'pocketsphinx'
  /** an OpenAI-compatible server for `recogniser: 'http'` */
  recogniserUrl: URL | null
  recogniserKey: string | null
  recogniserModel: string | null
  modelDir: string | null
  modelUrl: URL | null
  /** never download a model */
  offline: boolean
  /** an HTTP payment provider instead of the ledger (decision 13) */
  paymentUrl: URL | null
  /** how many times faster than the wall clock the sandbox's typing pool works (decision 12) */
  typingPoolSpeed: number
  metricsPort: number | null
  logLevel: string
  /** a request body of which nothing comes for so long is given up (decision 16) */
  silentBodyMs: number
}

/** What `npm start` runs with when nothing is said. */
export const defaultConfig: Config = {
  host: '127.0.0.1',
  port: 4600,
  dataDir: './data',
  publicUrl: null,
  remote: null,
  tls: null,
  allowTargets: [],
  allowOrigins: [],
  recogniser: 'auto',
  recogniserUrl: null,
  recogniserKey: null,
  recogniserModel: null,
  modelDir: null,
  modelUrl: null,
  offline: false,
  paymentUrl: null,
  typingPoolSpeed: 1,
  metricsPort: null,
  logLevel: 'info',
  silentBodyMs: 60_000,
}
