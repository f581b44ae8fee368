import type { ComponentType } from 'react'
import type { Session } from '../../base/api/client.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { Signal } from '../../base/state/signal.ts'
import type { Desk } from '../desk/desk.ts'
import type { OpenDesk } from '../desk/open-desk.ts'
import type { PageKeys } from '../desk/page-keys.ts'
import type { WordsLoad } from '../model/words-load.ts'

/** An open transcript with its page: what every part of every feature gets as its props. */
export type OpenPage = OpenDesk & {
  session: Session
  record: FileRecord
  /** the text is finished */
  ready: boolean
  /** the words that the page's loader has begun to load */
  ahead: WordsLoad | null
}

/** A component of a feature. It may use hooks, shows nothing while it has nothing to show, and loads its code by `laterPart`. */
type Part = ComponentType<OpenPage>

/** Places of the page. */
export type FeatureParts = {
  /** a section of the panel beside the text, or of its dialog if there is no room beside it */
  Panel?: Part
  /** a bar between the text and the player */
  Bar?: Part
  /** what lies over the text, once the feature's name is set as `cover` */
  Cover?: Part
  /** a dialog over the page */
  Overlay?: Part
  /** shows nothing: hooks that run as long as the page is open */
  Background?: Part
}

/** What a feature adds to the page, at any of its places. The page knows features only by their list. */
export type Feature = FeatureParts & { name: string; keys?: (page: OpenPage) => PageKeys }

/** Makes a value once for each open page, for parts of a feature to share. */
export function oncePerPage<Value>(make: () => Value): (page: Pick<OpenPage, 'desk'>) => Value {
  const made = new WeakMap<Desk, { value: Value }>()
  return ({ desk }) => {
    const known = made.get(desk) ?? { value: make() }
    made.set(desk, known)
    return known.value
  }
}

/** Name of the feature that covers the text, which is inert meanwhile; null: none does. */
export const cover = oncePerPage(() => new Signal<string | null>(null))

/** The panel's dialog is open, if there is no room for the panel beside the text. */
export const panelDialog = oncePerPage(() => new Signal(false))
