import type { ComponentType } from 'react'
import { useLocation } from 'react-router'
import type { Session } from '../../base/api/client.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { Signal } from '../../base/state/signal.ts'
import type { Desk } from '../desk/desk.ts'
import type { OpenDesk } from '../desk/open-desk.ts'
import type { Shortcut } from '../desk/page-keys.ts'
import { changeReading, readingSettings, type Task } from '../desk/reading-settings.ts'
import type { WordsLoad } from '../model/words-load.ts'

/** An open transcript with its page: the props of every feature's parts. */
export type OpenPage = OpenDesk & {
  session: Session
  record: FileRecord
  /** the file was deleted after it was opened here */
  isDeleted: boolean
  /** the transcript is complete */
  ready: boolean
  /** the words prefetched by the page's loader */
  ahead: WordsLoad | null
}

/**
 * A component of a feature. It may use hooks, renders nothing if it has nothing to show, and loads its code with
 * `laterPart`.
 */
type Part = ComponentType<OpenPage>

/**
 * Slots of the page. Those named by a task are sections of the panel beside the text, or of its dialog if there is no
 * room for the panel: rendered, and so loaded, only while that task is chosen.
 */
export type FeatureParts = { [Name in Task]?: Part } & {
  /** a bar between the text and the player */
  Bar?: Part
  /** an overlay over the text, while `useCover` has the feature's name */
  Cover?: Part
  /** a dialog over the page */
  Overlay?: Part
  /** renders nothing: hooks that run as long as the page is open */
  Background?: Part
}

/** A feature's contributions to the page, in any of its slots. The page knows features only through their list. */
export type Feature = FeatureParts & { name: string; keys?: (page: OpenPage) => readonly Shortcut[] }

/** Memoizes a value per open page, for parts of a feature to share. */
export function oncePerPage<Value>(make: () => Value): (page: Pick<OpenPage, 'desk'>) => Value {
  const made = new WeakMap<Desk, { value: Value }>()
  return ({ desk }) => {
    const known = made.get(desk) ?? { value: make() }
    made.set(desk, known)
    return known.value
  }
}

/** Name of the feature that covers the text, which is inert in the meantime: the URL's part below the file's; or null. */
export function useCover(): string | null {
  return coverAt(useLocation())
}

/** Like {@link useCover}, of a location. */
export function coverAt({ pathname }: { pathname: string }): string | null {
  return /\/files\/[^/]+\/([^/]+)\/?$/.exec(pathname)?.[1] ?? null
}

/** The panel's dialog is open, if there is no room for the panel beside the text. */
export const panelDialog = oncePerPage(() => new Signal(false))

/** The task whose sections the panel shows. */
export const shownTask = oncePerPage(() => new Signal<Task>(readingSettings.get().task))

/** Shows a task's sections, in this and the next transcripts. */
export function chooseTask(page: Pick<OpenPage, 'desk'>, task: Task): void {
  shownTask(page).set(task)
  changeReading({ task })
}
