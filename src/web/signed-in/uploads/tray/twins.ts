import { Signal } from '../../../base/state/signal.ts'
import type { CompareAnswer } from '../media/compare-worker.ts'
import { isSubmitted, pathOf, type Upload } from './upload.ts'
import type { UploadList } from './upload-list.ts'

/** Whether two recordings have the same bytes, how much of them is compared (0 to 1), or null if it is not known. */
type Comparison = boolean | number | null
export type Comparisons = ReadonlyMap<string, Comparison>

/** An earlier upload that has the same bytes, or may have: its beginning, end and size are the same. */
export type Twin = { readonly upload: Upload; readonly comparison: true | number | null | undefined }

/** The key of a pair in `Comparisons`, in either order. */
function pairKey(a: Upload, b: Upload): string {
  return [a.id, b.id].toSorted().join(' ')
}

const copyName = /\b(?:copy|backup|kopie)\b|\(\d+\)/i

/** Of two with the same bytes the one in the upper folder is meant, then the one that is not called a copy. */
function copyRank({ name, source }: Upload): number {
  if (source.kind === 'link' || source.file === null) return 0
  return 2 * pathOf(source.file).length + Number(copyName.test(name))
}

/**
 * Maps each upload of the tray, by id, to an earlier one that has or may have the same bytes, in the tray or submitted.
 * A comparison of `undefined` has not begun.
 */
export function findTwins(
  tray: readonly Upload[],
  submitted: readonly Upload[],
  comparisons: Comparisons,
): ReadonlyMap<string, Twin> {
  const different = new Map<string, Upload[]>()
  const twins = new Map<string, Twin>()
  for (const upload of [...submitted, ...tray.toSorted((a, b) => copyRank(a) - copyRank(b))]) {
    const likeness = upload.inspection?.fingerprint
    if (likeness == null) continue
    const firsts = different.get(likeness) ?? []
    different.set(likeness, firsts)
    const twin = firsts.find((first) => comparisons.get(pairKey(first, upload)) !== false)
    if (twin === undefined) firsts.push(upload)
    else
      twins.set(upload.id, { upload: twin, comparison: comparisons.get(pairKey(twin, upload)) as Twin['comparison'] })
  }
  return twins
}

/** Encoders add up to two frames of silence. */
const encoderDelayMs = 150

/**
 * Maps uploads, by id, to an earlier one of another format with the same name and length: perhaps the same sound, as a WAV
 * and the MP3 made from it. That is mentioned, never left out: only bytes prove it.
 */
export function findSameSounds(tray: readonly Upload[], submitted: readonly Upload[]): ReadonlyMap<string, Upload> {
  const named = new Map<string, Upload[]>()
  const same = new Map<string, Upload>()
  for (const upload of [...submitted, ...tray]) {
    const { format, durationMs } = upload.inspection ?? {}
    if (format == null || durationMs == null) continue
    const name = upload.name.replace(/\.[^.]*$/, '').toLowerCase()
    const others = named.get(name) ?? []
    const other = others.find(({ inspection: its }) => {
      return its?.format !== format && Math.abs((its?.durationMs ?? 0) - durationMs) <= encoderDelayMs
    })
    if (other !== undefined) same.set(upload.id, other)
    named.set(name, [...others, upload])
  }
  return same
}

/** Compares recordings that are alike, in a worker: likeness is a question, and only equal bytes answer it. */
export class TwinComparer {
  readonly results = new Signal<Comparisons>(new Map())
  readonly #uploads: UploadList
  #worker: Worker | null = null

  constructor(uploads: UploadList) {
    this.#uploads = uploads
  }

  /** Begins all comparisons that have not begun. */
  compare(): void {
    const groups = Map.groupBy(this.#uploads.all(), ({ owner }) => `${owner.environment} ${owner.account}`)
    for (const uploads of groups.values()) {
      const tray = uploads.filter((upload) => !isSubmitted(upload))
      for (const [id, twin] of findTwins(tray, uploads.filter(isSubmitted), this.results.get())) {
        const upload = this.#uploads.get(id)
        if (twin.comparison === undefined && upload !== null) this.#begin(twin.upload, upload)
      }
    }
  }

  #begin(a: Upload, b: Upload): void {
    const [fileA, fileB] = [a, b].map(({ source }) => (source.kind === 'file' ? source.file : null))
    // Without its file, after a reload, nobody knows.
    if (!fileA || !fileB) return
    this.#worker ??= this.#open()
    const pair = pairKey(a, b)
    this.#set(pair, 0)
    this.#worker.postMessage({ pair, a: fileA, b: fileB })
  }

  #open(): Worker {
    const worker = new Worker(new URL('../media/compare-worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data: { pair, result } }: MessageEvent<CompareAnswer>) => {
      this.#set(pair, result)
      // The next of several that are alike.
      if (result === false) this.compare()
    }
    worker.onerror = () => {
      for (const [pair, result] of this.results.get()) if (typeof result === 'number') this.#set(pair, null)
    }
    return worker
  }

  #set(pair: string, result: Comparison): void {
    this.results.set(new Map([...this.results.get(), [pair, result]]))
  }
}
