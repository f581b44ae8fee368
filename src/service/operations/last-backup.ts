import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dataPaths } from '../platform/data-directory.ts'

type Made = { at: number; files: number }

/** When the last backup was made, in milliseconds since 1970; null: none is known. */
export function lastBackupAt(dataDir: string): number | null {
  const path = dataPaths(dataDir).lastBackup
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Made).at : null
}

/** Notes a backup for metrics and `doctor`. */
export function noteBackup(dataDir: string, made: Made): void {
  writeFileSync(dataPaths(dataDir).lastBackup, JSON.stringify(made))
}
