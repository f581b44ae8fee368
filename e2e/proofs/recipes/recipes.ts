import { chore, event, job } from './of-background.ts'
import { column, migration } from './of-files.ts'
import { format, option, setting } from './of-interface.ts'
import { page, route } from './of-pages.ts'

/** By the name passed to `npm run recipes`. */
export const recipes = { option, format, setting, migration, column, job, chore, event, page, route } as const
