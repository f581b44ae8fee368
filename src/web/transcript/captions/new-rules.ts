import type { CaptionRules } from '../../../contract/account/captions.ts'
import { nameRules } from '../../../formats/captions/caption-rules.ts'
import { putNewCaptionRules } from '../../base/api/captions.ts'
import type { Session } from '../../base/api/client.ts'
import { showToast } from '../../base/ui/toast.tsx'

/** Makes rules those of new files. @returns false if the service refuses, which a message has said */
export async function keepForNewFiles(session: Session, { timing: _, ...rules }: CaptionRules): Promise<boolean> {
  try {
    await putNewCaptionRules(session, rules)
    showToast({ tone: 'ok', title: `Captions of new files begin with ${nameRules(rules)}` })
    return true
  } catch (error) {
    showToast({ tone: 'bad', title: 'The rules of new files were not changed', detail: (error as Error).message })
    return false
  }
}
