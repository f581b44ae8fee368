import {
  type MutationFilters,
  MutationObserver,
  mutationOptions,
  queryOptions,
  useMutationState,
  useQuery,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  type AccountSettings,
  accountDefaults,
  accountSettings,
  type ProgramText,
  programText,
} from '../../../contract/account/settings.ts'
import { type JsonObject, mergePatch } from '../../../contract/common/merge-patch.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { account } from './account.ts'
import { askAccount } from './account-call.ts'
import type { Session } from './client.ts'
import { queryClient, retries } from './query-client.ts'

/** Sets the account's default options (spec 2.3, rule 2). @returns all of them, as now in force */
export async function saveDefaults(session: Session, options: OrderOptions): Promise<OrderOptions> {
  return (await askAccount(session, 'defaults', accountDefaults, { method: 'PUT', body: options })).default_options
}

/** Chooses which text of a transcript programs receive. @throws ApiError */
export async function saveProgramText(session: Session, chosen: ProgramText): Promise<void> {
  await askAccount(session, 'program-text', programText, { method: 'PUT', body: { program_text: chosen } })
}

const settingsKey = (session: Session) => [...account.all(session), 'settings'] as const

/** Whether the service stores settings; asked once, as that does not change while it runs. */
async function offersSettings(session: Session): Promise<boolean> {
  const overview = await queryClient.query({ ...account.overview(session), staleTime: 'static', retry: false })
  return overview?.features.settings ?? false
}

async function fetchSettings(session: Session, signal: AbortSignal): Promise<AccountSettings | null> {
  return (await offersSettings(session)) ? await askAccount(session, 'settings', accountSettings, { signal }) : null
}

async function patchSettings(session: Session, patch: JsonObject): Promise<AccountSettings | null> {
  const call = { method: 'PATCH', body: patch } as const
  return (await offersSettings(session)) ? await askAccount(session, 'settings', accountSettings, call) : null
}

/**
 * The dashboard's data stored with the account, null if the service stores none: one query and one mutation, shared by
 * all parts of the dashboard.
 */
export const settings = {
  query: (session: Session) =>
    queryOptions({
      queryKey: settingsKey(session),
      queryFn: ({ signal }) => fetchSettings(session, signal),
      staleTime: 60_000,
    }),

  /**
   * Changes settings by a merge patch of only the changed fields, so that no other tab's change is lost. Optimistic:
   * `expectedSettings` and `useSettings` include a change while it is pending, and drop it if it fails. The cache holds
   * only the service's responses, so there is no rollback, which a concurrent refetch would break.
   */
  change: (session: Session) =>
    mutationOptions({
      mutationKey: settingsKey(session),
      mutationFn: (patch: JsonObject) => patchSettings(session, patch),
      // Run serially, so that the last change arrives last.
      scope: { id: settingsKey(session).join(' ') },
      // Offline, they wait for a connection. Retries are safe: a merge patch is idempotent.
      networkMode: 'offlineFirst',
      ...retries,
      onSuccess: async (whole) => {
        const queryKey = settingsKey(session)
        const isFetching = queryClient.isFetching({ queryKey }) > 0
        await queryClient.cancelQueries({ queryKey })
        queryClient.setQueryData(queryKey, whole)
        // The cancelled fetch may have been for another client's later change.
        if (isFetching) void queryClient.invalidateQueries({ queryKey })
      },
    }),

  /** Filters for changes still awaiting a response. */
  pending: (session: Session): MutationFilters => ({ mutationKey: settingsKey(session), status: 'pending' }),
}

/** Changes settings from outside a component. @throws ApiError if the service refuses it or stays unreachable */
export async function changeSettings(session: Session, patch: JsonObject): Promise<void> {
  await new MutationObserver(queryClient, settings.change(session)).mutate(patch)
}

/** The settings as they will be once all pending changes have arrived; undefined until loaded. */
export function expectedSettings(session: Session): AccountSettings | null | undefined {
  const pending = queryClient.getMutationCache().findAll(settings.pending(session))
  const known = queryClient.getQueryData(settings.query(session).queryKey)
  return known && pending.map(({ state }) => state.variables as JsonObject).reduce(mergePatch, known)
}

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
