/** Where the recordings of a database are. A mark there equals the one in the database. */
export type RecordingsPlace = {
  /** as operators know it */
  name: string
  /** null if there is none yet */
  readMark(): Promise<string | null>
  writeMark(value: string): Promise<void>
  hasRecordings(): Promise<boolean>
}
