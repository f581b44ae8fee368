import { useEffect } from 'react'
import { Signal, useSignal } from '../../../base/state/signal.ts'
import { Later, laterPart } from '../../../base/ui/later.tsx'
import { useDates } from '../../../signed-in/preferences/preferred-dates.ts'
import { undoKeys } from '../../desk/page-keys.ts'
import { savedText } from '../../panel/saved-text.ts'
import { type Feature, type OpenPage, oncePerPage, shownTask } from '../feature.ts'
import { useCorrections } from '../use-transcript.ts'

const ConflictsDialog = laterPart(async () => (await import('../../panel/conflicts-dialog.tsx')).ConflictsDialog)
const ConflictsBar = laterPart(async () => (await import('../../panel/conflicts-dialog.tsx')).ConflictsBar)
const CorrectionsSection = laterPart(
  async () => (await import('../../panel/corrections-section.tsx')).CorrectionsSection,
)

/** The conflicts dialog is open. */
const deciding = oncePerPage(() => new Signal(false))

/** The corrections, with undo and versions. */
export const corrections: Feature = {
  name: 'corrections',
  Edit,
  Bar,
  Overlay,
  Background,
  keys: (page) =>
    undoKeys(
      () => void page.corrections.undo(),
      () => void page.corrections.redo(),
    ),
}

/** Whether the text has corrections. */
export function useIsCorrected(page: OpenPage): boolean {
  const { count, saved } = useSignal(page.corrections.state)
  return count > 0 || saved === 'saving'
}

/** The number of corrections and where they are saved; null if there are none. */
export function useSavedText(page: OpenPage): string | null {
  const text = savedText(useSignal(page.corrections.state), useSignal(page.corrections.where), useDates())
  const isCorrected = useIsCorrected(page)
  const isUnsent = useIsUnsent(page)
  return isCorrected || isUnsent ? text : null
}

function useIsUnsent({ corrections: made }: OpenPage): boolean {
  const place = useSignal(made.where)
  return place.kind === 'waiting' && place.isUnsent
}

/** Conflicts to decide; else, where the header has no room for it, that corrections are not sent yet. */
function Bar(page: OpenPage) {
  const { conflicts } = useSignal(page.corrections.state)
  const isUnsent = useIsUnsent(page)
  const hasConflicts = conflicts.length > 0
  return (
    <>
      {isUnsent && !hasConflicts && (
        <p className="border-t border-line bg-surface px-5 py-1.5 text-sm text-warn min-[80rem]:hidden phone:px-4">
          On this device, not sent yet
        </p>
      )}
      <Later wanted={hasConflicts}>
        <ConflictsBar {...page} onChoose={() => deciding(page).set(true)} />
      </Later>
    </>
  )
}

function Edit(page: OpenPage) {
  return (
    <Later wanted={page.ready}>
      <CorrectionsSection {...page} name={page.record.metadata.name} />
    </Later>
  )
}

function Overlay(page: OpenPage) {
  const open = useSignal(deciding(page))
  return (
    <Later wanted={open}>
      <ConflictsDialog {...page} open={open} onClose={() => deciding(page).set(false)} />
    </Later>
  )
}

function Background(page: OpenPage) {
  const { desk, corrections: made, correcting, session, record } = page
  useCorrections(desk, made, session, record)
  // Typing brings its own task: status and undo are then beside the text. It is not the reader's choice to keep.
  useEffect(
    () => correcting.editing.subscribe(() => correcting.editing.get() !== null && shownTask({ desk }).set('Edit')),
    [desk, correcting],
  )
  return null
}
