import { inject } from 'vitest'

/** Before each test file of the run on PostgreSQL: `testing/` opens services and databases there. */
process.env.PARLEY_TEST_POSTGRES = inject('postgresUrl')
