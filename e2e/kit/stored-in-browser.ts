/**
 * In the page: everything that the browser stores for it, and its URL, as one text. It runs in any browser, so it must
 * be self-contained.
 */
export async function allStored(): Promise<string> {
  const answered = <Value>(request: IDBRequest<Value>) =>
    new Promise<Value>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const plain = (_: string, value: unknown) =>
    value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? new TextDecoder('latin1').decode(value) : value
  const kept: unknown[] = [location.href, document.cookie, { ...sessionStorage }, { ...localStorage }]
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await answered(indexedDB.open(name))
    for (const store of database.objectStoreNames) {
      kept.push(await answered(database.transaction(store).objectStore(store).getAll()))
    }
    database.close()
  }
  return JSON.stringify(kept, plain)
}
