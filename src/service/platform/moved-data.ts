import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

/** Where the data of a directory went, or is on its way to. */
export type Move = {
  /** never two alike: what an earlier, abandoned move has brought there is not taken for this one's */
  id: string
  /** as operators know it, without passwords */
  to: string
  isDone: boolean
}

const markerPath = (dataDir: string) => join(dataDir, 'moved-to')

/** Null if the data is here. */
export function readMove(dataDir: string): Move | null {
  const path = markerPath(dataDir)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Move) : null
}

/** From here on no service starts on the directory. */
export function writeMove(dataDir: string, move: Move): void {
  const path = markerPath(dataDir)
  writeFileSync(`${path}.part`, JSON.stringify(move), { mode: 0o600, flush: true })
  renameSync(`${path}.part`, path)
}

/** @throws StartError if the data of a directory has moved, or is being moved */
export function requireNotMoved(dataDir: string): void {
  const move = readMove(dataDir)
  if (move === null) return
  if (move.isDone) {
    throw new StartError(
      `The data of ${dataDir} has moved to ${move.to}. Start with DATABASE_URL and BLOBS set to that.`,
    )
  }
  const path = markerPath(dataDir)
  const words = `Run migrate-to again, which goes on; or delete ${path} to go on here, and what has arrived there.`
  throw new StartError(`The data of ${dataDir} is being moved to ${move.to}. ${words}`)
}
