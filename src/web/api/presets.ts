import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { storedOptions } from '../../contract/order-options.ts'
import { account } from './account.ts'
import type { Session } from './client.ts'
import { readSettings, writeSettings } from './settings.ts'

/** A named set of options, kept with the account's settings. */
const orderPreset = z.object({ name: z.string(), options: storedOptions })
export type OrderPreset = z.infer<typeof orderPreset>
const presetList = z.catch(z.array(orderPreset), [])

/** Presets where the service keeps settings. */
export const presets = {
  all: (session: Session) =>
    queryOptions({
      queryKey: [...account.all(session), 'presets'] as const,
      queryFn: async ({ signal }) => presetList.parse((await readSettings(session, signal)).order_presets),
      staleTime: 60_000,
    }),
}

/** Replaces the presets. @throws ApiError */
export async function savePresets(session: Session, list: readonly OrderPreset[]): Promise<void> {
  await writeSettings(session, { order_presets: list.map(({ name, options }) => ({ name, options })) })
}
