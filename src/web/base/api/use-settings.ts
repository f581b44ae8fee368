import { useMutationState, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AccountSettings } from '../../../contract/account/settings.ts'
import { type JsonObject, mergePatch } from '../../../contract/common/merge-patch.ts'
import type { Session } from './client.ts'
import { settings } from './settings.ts'

/**
 * The account's settings with all pending changes applied; empty until loaded, and if there are none.
 * @param enabled false: makes no request
 */
export function useSettings(session: Session, enabled = true): AccountSettings {
  const { data } = useQuery({ ...settings.query(session), enabled })
  const pending = useMutationState({
    filters: settings.pending(session),
    select: ({ state }) => state.variables as JsonObject,
  })
  return useMemo(() => pending.reduce(mergePatch, data ?? {}), [data, pending])
}
