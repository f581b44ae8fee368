import { taskKeys } from '../../desk/page-keys.ts'
import { chooseTask, coverAt, type Feature } from '../feature.ts'

/** The panel's tasks, by key; not while another feature covers the panel. */
export const tasks: Feature = {
  name: 'tasks',
  keys: (page) =>
    taskKeys(
      (task) => chooseTask(page, task),
      () => coverAt(window.location) === null,
    ),
}
