import { type KeyboardEvent, useId } from 'react'
import { useSignal } from '../../base/state/signal.ts'
import { Dialog } from '../../base/ui/dialog.tsx'
import { segmentClass, segmentedClass } from '../../base/ui/segmented.tsx'
import { tasks } from '../desk/reading-settings.ts'
import { chooseTask, type OpenPage, panelDialog, shownTask } from './feature.ts'
import { Parts } from './parts.tsx'

type Props = { page: OpenPage }

/** The panel beside the text: one task at a time, chosen by tabs (WAI-ARIA APG, tabs with automatic activation). */
export function TaskPanel({ page }: Props) {
  const shown = useSignal(shownTask(page))
  const id = useId()
  return (
    <aside
      aria-label="Tasks"
      className="grid w-72 shrink-0 grid-cols-[minmax(0,1fr)] content-start gap-6 overflow-y-auto border-l border-line px-5 pt-4 pb-5"
    >
      <div role="tablist" aria-label="Task" className={segmentedClass} onKeyDown={(event) => onTabKey(event, page)}>
        {tasks.map((task) => (
          <button
            key={task}
            type="button"
            role="tab"
            id={`${id}${task}`}
            aria-selected={task === shown}
            aria-controls={`${id}panel`}
            tabIndex={task === shown ? 0 : -1}
            onClick={() => chooseTask(page, task)}
            className={`${segmentClass(task === shown)} flex-auto! px-1.5!`}
          >
            {task}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}panel`}
        aria-labelledby={`${id}${shown}`}
        className="grid grid-cols-[minmax(0,1fr)] gap-7"
      >
        <Parts at={shown} page={page} />
      </div>
    </aside>
  )
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -tasks.length, End: tasks.length }

function onTabKey(event: KeyboardEvent<HTMLElement>, page: OpenPage): void {
  const step = steps[event.key]
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  event.stopPropagation()
  const now = tasks.indexOf(shownTask(page).get())
  const isEnd = Math.abs(step) > 1
  const next = isEnd ? (step < 0 ? 0 : tasks.length - 1) : (now + step + tasks.length) % tasks.length
  chooseTask(page, tasks[next] ?? 'Read')
  event.currentTarget.querySelectorAll('button')[next]?.focus()
}

/** If there is no room for the panel: a bar of its tasks above the player, each of which opens a dialog. */
export function TaskBar({ page }: Props) {
  const shown = useSignal(shownTask(page))
  const editing = useSignal(page.correcting.editing)
  const dialog = panelDialog(page)
  const isOpen = useSignal(dialog)
  return (
    <>
      {editing === null && (
        <fieldset className="flex border-t border-line bg-surface px-2 py-0.5">
          <legend className="sr-only">Tasks</legend>
          {tasks.map((task) => (
            <button
              key={task}
              type="button"
              aria-haspopup="dialog"
              onClick={() => {
                chooseTask(page, task)
                dialog.set(true)
              }}
              className="h-9 flex-auto rounded-md text-sm font-medium text-ink-2 hover:text-ink phone:h-11 low:h-8"
            >
              {task}
            </button>
          ))}
        </fieldset>
      )}
      <Dialog open={isOpen} onClose={() => dialog.set(false)} title={shown}>
        <div className="grid gap-6">
          <Parts at={shown} page={page} />
        </div>
      </Dialog>
    </>
  )
}
