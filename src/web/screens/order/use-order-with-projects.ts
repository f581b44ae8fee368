import { useMutation } from '@tanstack/react-query'
import type { Project } from '../../../contract/account/projects.ts'
import type { Session } from '../../base/api/client.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { makeProjects, wishProjects } from './project-choice.ts'
import type { Order } from './use-order.ts'

const noProjects: ReadonlyMap<string, Project> = new Map()

/**
 * Orders the tray as it is when the button is pressed, after making the projects of its folders. If one cannot be made,
 * nothing is ordered, a message says why, and the next press orders without it.
 * @param onOrdered given the id of the batch
 */
export function useOrderWithProjects(session: Session, order: Order, onOrdered: (batch: string) => void) {
  const { submit, projects } = order
  const { mutate, isPending } = useMutation({
    mutationFn: async () => submit(await makeProjects(session, projects.folders)),
    onSuccess: onOrdered,
    onError: ({ message }) => {
      wishProjects(false)
      const detail = `${message} Pay again to order those files without a project.`
      showToast({ tone: 'bad', title: 'A project was not made, and nothing was ordered', detail })
    },
  })
  const begin = () => (projects.folders.made.length === 0 ? onOrdered(submit(noProjects)) : mutate())
  return { begin, isPending }
}
