import { type IDBPDatabase, openDB } from 'idb'

/** Identifies one transcript on this device: environment, account and file. */
export type DocumentKey = readonly [environment: string, account: string, file: string]

/** Storage key of checks not sent yet (`review/unsent-checks.ts`). */
export const unsentChecksKey = (key: DocumentKey): string => `parley.checks.${key.join('.')}`

export const documentKey = (key: DocumentKey): string => JSON.stringify(key)

let database: Promise<IDBPDatabase> | null = null

/** The corrections on this device; only the transcript's page knows the content of its stores. */
export function openCorrectionDatabase(): Promise<IDBPDatabase> {
  database ??= openDB('parley-corrections', 3, {
    upgrade(made, before) {
      if (before < 1) {
        made.createObjectStore('documents')
        made.createObjectStore('operations')
        made.createObjectStore('versions', { autoIncrement: true }).createIndex('document', 'document')
      }
      if (before < 2) made.createObjectStore('synced')
      made.createObjectStore('drafts')
    },
    // A newer page in another tab waits for this connection to close; the next use reopens it.
    blocking: (_current, _wanted, event) => {
      database = null
      ;(event.target as IDBDatabase).close()
    },
    terminated: () => {
      database = null
    },
  })
  return database
}

/** Removes this device's corrections of an account's files that are gone. */
export async function dropCorrections(
  environment: string,
  account: string,
  isGone: (file: string) => boolean,
): Promise<void> {
  const stores = ['documents', 'synced', 'drafts', 'operations', 'versions'] as const
  const transaction = (await openCorrectionDatabase()).transaction(stores, 'readwrite')
  const [documents, synced, drafts, operations, versions] = stores.map((name) => transaction.objectStore(name))
  const byName = [documents, synced, drafts]
  const kept = (await Promise.all(byName.map((store) => store?.getAllKeys()))).flatMap((keys) => keys ?? []) as string[]
  for (const name of new Set(kept)) {
    const [where, whose, file] = JSON.parse(name) as DocumentKey
    if (where !== environment || whose !== account || !isGone(file)) continue
    for (const store of byName) await store?.delete(name)
    // Arrays sort after all numbers.
    await operations?.delete(IDBKeyRange.bound([name], [name, []]))
    for (const version of (await versions?.index('document').getAllKeys(name)) ?? []) await versions?.delete(version)
  }
  await transaction.done
}
