import { QueryObserver } from '@tanstack/react-query'
import { readTxt } from '../../../formats/read-txt.ts'
import type { Session } from '../../api/client.ts'
import { files } from '../../api/files.ts'
import type { FileRecord } from '../../api/metadata-reader.ts'
import { queryClient } from '../../api/query-client.ts'

export type TextSoFar = ReturnType<typeof readTxt>

/** Reads the text of a file in progress at the record's percentage. Returns a function that stops. */
export function readTextSoFar(session: Session, record: FileRecord, onText: (text: TextSoFar) => void): () => void {
  const query = files.textSoFar(session, record.id, record.percent)
  const observer = new QueryObserver(queryClient, { ...query, notifyOnChangeProps: ['data'] })
  const parse = (text: string | undefined) => {
    if (text !== undefined) onText(readTxt(text, record.metadata.options))
  }
  parse(observer.getCurrentResult().data)
  return observer.subscribe(({ data }) => parse(data))
}
