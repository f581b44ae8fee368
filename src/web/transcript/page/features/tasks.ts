import { taskKeys } from '../../desk/page-keys.ts'
import { chooseTask, type Feature } from '../feature.ts'

/** The panel's tasks, by key. */
export const tasks: Feature = { name: 'tasks', keys: (page) => taskKeys((task) => chooseTask(page, task)) }
