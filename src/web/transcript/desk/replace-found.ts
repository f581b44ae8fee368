import { formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { OpenDesk } from './open-desk.ts'

/** Replaces the current match, or all of them, with an undo button until the text changes again. */
export function replaceFound({ desk, correcting, corrections }: Omit<OpenDesk, 'doubts'>, by: string, all: boolean) {
  const { query, current } = desk.find.state.get()
  const { places } = desk.find
  if (!correcting.ready || current < 0) return
  const wanted = all ? places : places.slice(current, current + 1)
  correcting.replace(wanted, query.length, by)
  if (!all) return
  const title = `${formatCount(wanted.length, 'match', 'matches')} replaced`
  const onPress = () => {
    // A check made since changes no text, and is not what this button takes back.
    corrections.sideSteps.forget()
    void corrections.undo()
  }
  const close = showToast({ title, action: { label: 'Undo', onPress } })
  const stop = desk.text.state.subscribe(() => {
    stop()
    close()
  })
}
