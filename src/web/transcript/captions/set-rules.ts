import type { CaptionRules } from '../../../contract/account/captions.ts'
import { nameRules } from '../../../formats/captions/caption-rules.ts'
import { account } from '../../base/api/account.ts'
import { putCaptionRules } from '../../base/api/captions.ts'
import type { Session } from '../../base/api/client.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { inOrder } from '../../base/state/in-order.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { getCaptionRules } from '../../signed-in/library/caption-rules.ts'
import { getLive } from '../../signed-in/library/live.ts'
import type { Corrections } from '../edit/corrections.ts'
import type { RulesChange } from '../edit/operation.ts'

/** Changes the rules of a file's captions. @returns false if the service refuses, which a message has said */
export type SetCaptionRules = (rules: CaptionRules) => Promise<boolean>

/** Two that were under way at once could reach the service the other way round. */
const sendInOrder = inOrder()

/** Resolves once the service has answered for all rules that were set. */
export const untilRulesSet = (): Promise<void> => sendInOrder(async () => undefined)

/**
 * Sets the rules of a file's captions, shown at once. If the service stores none, they stay on this device.
 * @returns false if the service refuses, which a message has said
 */
export async function setCaptionRules(session: Session, id: string, rules: CaptionRules): Promise<boolean> {
  const send = async () => {
    const overview = await queryClient.query({ ...account.overview(session), staleTime: Number.POSITIVE_INFINITY })
    if (overview?.features.captions === true) await sendInOrder(() => putCaptionRules(session, id, rules))
  }
  try {
    await getLive(session).library.amend(id, { captionRules: rules }, send)
    return true
  } catch (error) {
    showToast({ tone: 'bad', title: 'The caption rules were not changed', detail: (error as Error).message })
    return false
  }
}

/** A file's rules as the list has them now: a page shows them a moment later. */
export function currentRules(session: Session, id: string, otherwise: CaptionRules): CaptionRules {
  const record = getLive(session).library.row(id)?.record
  return record ? getCaptionRules(record) : otherwise
}

/**
 * Changes the rules of a file's captions as a step of the corrections, in the history before the service has answered:
 * undo pressed at once, or after a further step, takes back the right one.
 */
export async function changeRules(
  corrections: Corrections,
  set: SetCaptionRules,
  rules: RulesChange,
): Promise<boolean> {
  if (!corrections.mayChange()) return false
  const operation = { label: 'Caption rules', changes: [], names: null, rules }
  void corrections.commit(operation)
  const isSet = await set(rules.after)
  if (!isSet) void corrections.forget(operation)
  return isSet
}

/**
 * Undoes or redoes a step that changed the rules of a file's captions; rules that were changed since stay.
 * @returns false if the service refuses, which a message has said
 */
export async function stepRules(session: Session, id: string, { before, after }: RulesChange): Promise<boolean> {
  const now = currentRules(session, id, before)
  if (JSON.stringify(now) !== JSON.stringify(before)) {
    showToast({ title: 'The caption rules were changed since, and stay', detail: `They are: ${nameRules(now)}.` })
    return true
  }
  const isSet = await setCaptionRules(session, id, after)
  if (isSet) showToast({ title: `Captions by ${nameRules(after)}` })
  return isSet
}
