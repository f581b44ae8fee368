import { useEffect, useEffectEvent } from 'react'
import type { Session } from '../../../base/api/client.ts'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import type { Dates } from '../../../base/ui/dates.ts'
import { clockText } from '../../../base/ui/duration.ts'
import { sizeText } from '../../../base/ui/sizes.ts'
import { orderText } from '../../../signed-in/options/order-text.ts'
import { changePreferences } from '../../../signed-in/preferences/change-preferences.ts'
import { preferences } from '../../../signed-in/preferences/preferences.ts'
import { datesNow } from '../../../signed-in/preferences/preferred-dates.ts'
import type { Desk } from '../../desk/desk.ts'
import { playerKeys } from '../../desk/page-keys.ts'
import { printWhole } from '../../view/print.ts'
import type { Feature, OpenPage } from '../feature.ts'
import { useText } from '../use-transcript.ts'

/** The text itself, printed as a whole, and its playback shortcuts. */
export const text: Feature = {
  name: 'text',
  Background,
  keys: ({ desk, correcting, session }) =>
    playerKeys(desk.playback, () => {
      if (correcting.editing.get() === null) desk.toggleLoop()
      else void changePreferences(session, { loopTurn: !preferences.get().loopTurn })
    }),
}

function Background({ desk, session, record, ahead, ready }: OpenPage) {
  const isTyped = ready && record.metadata.options.transcript_type === 'manual'
  useEffect(() => desk.hasDoubts.set(!isTyped), [desk, isTyped])
  useText(desk, session, record, ahead)
  usePrint(desk, record)
  const begins = record.labels?.begins_at_seconds
  useEffect(() => desk.beginsAt.set(begins), [desk, begins])
  useTitle(session, record)
  return null
}

/** Sets the page's title to the recording's name. */
function useTitle({ environment }: Session, { metadata }: FileRecord): void {
  useEffect(() => {
    document.title = [metadata.name, environment === 'sandbox' ? 'Sandbox' : null, 'Parley'].filter(Boolean).join(' · ')
  }, [metadata.name, environment])
}

/** Makes printing include the whole text, with its title and facts. */
function usePrint(desk: Desk, record: FileRecord): void {
  // An effect event, not a dependency: a reloaded record must not remove the page that is being printed.
  const heading = useEffectEvent(() => ({
    title: record.metadata.name,
    facts: facts(record, (at) => datesNow().date(at)),
  }))
  useEffect(
    () =>
      printWhole(
        () => desk.view?.shown ?? null,
        () => heading(),
      ),
    [desk],
  )
}

/** `46:31 · 412 MB · Manual · Verbatim · ordered 16 Nov, 14:02` @param moment formats the order's date */
export function facts(record: FileRecord, moment: Dates['moment']): string {
  const order = orderText(record.metadata.options)
  const size = sizeText(Number(record.metadata.bytes))
  return [clockText(record.seconds), size, order, `ordered ${moment(record.createdAt)}`].join(' · ')
}
