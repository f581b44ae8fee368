import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { accountSettings } from '../../contract/account-settings.ts'
import { orderOptions } from '../../contract/order-options.ts'
import type { Session } from '../session/session.ts'
import { account } from './account.ts'
import { accountUrl, readJson, request } from './client.ts'

/** A named set of options, kept with the account's settings. */
export const orderPreset = z.object({ name: z.string(), options: orderOptions })
export type OrderPreset = z.infer<typeof orderPreset>
const presetList = z.catch(z.array(orderPreset), [])

async function readSettings(session: Session, signal?: AbortSignal) {
  const url = accountUrl(session.environment, 'settings')
  return await readJson(await request(session, url, { signal: signal ?? null }), accountSettings)
}

/** Presets where the service keeps settings. */
export const presets = {
  all: (session: Session) =>
    queryOptions({
      queryKey: [...account.all(session), 'presets'] as const,
      queryFn: async ({ signal }) => presetList.parse((await readSettings(session, signal)).order_presets),
      staleTime: 60_000,
    }),
}

/** Replaces the presets; the rest of the settings is read again first, so that another page's change stays. */
export async function savePresets(session: Session, list: readonly OrderPreset[]): Promise<void> {
  const settings = await readSettings(session)
  await request(session, accountUrl(session.environment, 'settings'), {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...settings, order_presets: list }),
  })
}
