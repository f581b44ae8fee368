import { titleOfSeveral } from '../../../../formats/template-header.ts'
import { ApiError } from '../../../base/api/client.ts'
import { saveFile } from '../../../base/ui/save-file.ts'
import { aboutWith, patternName } from '../../../transcript/downloads/apply-choices.ts'
import { startMaker } from '../../../transcript/downloads/make-file.ts'
import type { ZipJob } from './zip.ts'
import { failureLine, patiently, toZipFailure, type ZipFailure } from './zip-entries.ts'

/** Limit of one document, in hours of recordings: all of its words are in memory at once. */
export const mostHours = 100

/**
 * Saves many transcripts as one document, in order; failed ones are skipped and listed at its end.
 * @throws ApiError if none can be read or the document cannot be created; AbortError if the signal aborts it
 */
export async function saveDocument({ session, items, format, choices, signal, onProgress }: ZipJob): Promise<void> {
  const maker = startMaker()
  const failures: ZipFailure[] = []
  try {
    for (const [index, item] of items.entries()) {
      const { id, about, isCorrected, isReady } = item
      const source = { kind: isCorrected ? 'corrected' : 'original', session, id, ordered: about.options } as const
      const wanted = { ...source, about: aboutWith(about, choices), format }
      try {
        if (!isReady) throw new ApiError(0, 'It is not ready yet.')
        await patiently(() => maker.ask({ task: 'gather', wanted }, signal))
      } catch (error) {
        signal.throwIfAborted()
        failures.push(toZipFailure(item, error))
      }
      onProgress({ done: index + 1, failures: [...failures] })
    }
    const count = items.length - failures.length
    const answer = await maker.ask({ task: 'join', format, count, missing: failures.map(failureLine) }, signal)
    if (answer.kind === 'file') saveFile(answer.file.content, nameDocument({ items, format, choices }))
  } finally {
    maker.close()
  }
}

function nameDocument({ items, format, choices }: Pick<ZipJob, 'items' | 'format' | 'choices'>): string {
  const [first] = items
  return patternName(choices.pattern, format, {
    id: '',
    name: titleOfSeveral(first?.name ?? '', items.length),
    date: first?.about.created.slice(0, 10) ?? '',
    speakers: [],
    corrected: items.some(({ isCorrected }) => isCorrected),
  })
}
