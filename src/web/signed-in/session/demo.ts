import { openDemoAccount } from '../../base/api/account.ts'
import type { Session } from '../../base/api/client.ts'
import { showToast } from '../../base/ui/toast.tsx'

/** Opens a demo account and shows its key, once: the only way back into it. @returns its session, not yet signed in */
export async function openDemo(): Promise<Session> {
  const { account, key } = await openDemoAccount()
  showToast({
    title: 'Your demo account is open',
    detail: `You stay signed in until this tab closes. To come back later, save its key: ${key}`,
    action: { label: 'Copy key', onPress: () => void navigator.clipboard.writeText(key) },
    stayMs: 0,
  })
  return { environment: 'sandbox', account, key }
}
