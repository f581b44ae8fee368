import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Session } from '../../base/api/client.ts'
import { knownFiles } from '../../base/api/known-recordings.ts'
import { contentHash } from '../../signed-in/uploads/media/content-hash.ts'
import type { Upload } from '../../signed-in/uploads/tray/upload.ts'
import type { AccountHistory } from './account-history.ts'
import type { KnownFile } from './verdict.ts'

/**
 * Finds the account's file with the same recording as an upload. Only files of the same size qualify: the service is
 * asked about these, by content hash. If it cannot say, one with the same name, size and length is a likely match.
 * @param isAsked the service supports content hashes
 */
export function useKnownFile(
  session: Session,
  tray: readonly Upload[],
  history: AccountHistory,
  isAsked: boolean,
): (upload: Upload) => KnownFile | null {
  const files = tray.flatMap(({ id, bytes, source }) =>
    source.kind === 'file' && source.file !== null && history.hasSize(bytes) ? [{ id, file: source.file }] : [],
  )
  const ids = files.map(({ id }) => id)
  const hashes = async () => {
    const found: string[] = []
    // One after another: each holds up to 64 MiB.
    for (const { file } of files) found.push(await contentHash(file))
    return found
  }
  const { data } = useQuery({ ...knownFiles(session, ids, hashes), enabled: isAsked && ids.length > 0 })
  const idsKey = ids.join()
  return useMemo(() => {
    const places = new Map(idsKey.split(',').map((id, at) => [id, at]))
    return (upload) => {
      if (upload.source.kind !== 'file') return null
      const same = data?.[places.get(upload.id) ?? -1]
      if (same === undefined) return history.alike(upload)
      return same === null ? null : history.same(same)
    }
  }, [idsKey, data, history])
}
