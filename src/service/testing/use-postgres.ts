import { inject } from 'vitest'

/** Before each test file of the run on PostgreSQL: services and databases of `testing/` are opened there. */
process.env.PARLEY_TEST_POSTGRES = inject('postgresUrl')
