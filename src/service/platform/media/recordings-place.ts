/** The storage of a database's recordings. A mark there equals the one in the database. */
export type RecordingsPlace = {
  /** display name for operators */
  name: string
  /** null if there is none yet */
  readMark(): Promise<string | null>
  writeMark(value: string): Promise<void>
  hasRecordings(): Promise<boolean>
}
