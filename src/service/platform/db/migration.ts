/** The statements of one migration, for both engines. */
export type Migration = { name: string; sqlite: readonly string[]; postgres: readonly string[] }
