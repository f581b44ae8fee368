/** How to connect to PostgreSQL. */
export type PostgresConfig = {
  url: string
  /** the same without a connection pooler: `LISTEN` needs its own session */
  directUrl: string
  /** connections of this process */
  pool: number
}
