/** How PostgreSQL is reached. */
export type PostgresConfig = {
  url: string
  /** the same without a pooler between: `LISTEN` needs a session of its own */
  directUrl: string
  /** connections of this process */
  pool: number
}
