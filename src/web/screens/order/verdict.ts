import { maxFileBytes } from '../../../contract/interface/limits.ts'
import type { Quote } from '../../signed-in/options/price-book.ts'
import type { Upload } from '../../signed-in/uploads/tray/upload.ts'

export type Verdict = {
  /**
   * `bad` and `file-needed` uploads stay in the tray when the others are submitted; so do a `twin` of another upload or
   * of a `known` file of the account, and one that looks `alike`, unless duplicates are wanted
   */
  readonly level: 'ok' | 'note' | 'twin' | 'known' | 'alike' | 'file-needed' | 'bad'
  readonly text: string | null
}

/** A file of the account that is the same recording, or only looks like it. */
export type KnownFile = { readonly name: string; readonly ordered: string; readonly isSame: boolean }

const ok: Verdict = { level: 'ok', text: null }
const bad = (text: string): Verdict => ({ level: 'bad', text })

function findProblem(upload: Upload): Verdict | null {
  const { inspection, source } = upload
  if (source.kind === 'link' || inspection === null) return null
  if (inspection.unreadable) return bad('The browser could not read this file. Drop it again, or remove it.')
  if (upload.bytes === 0) return bad('The file is empty. Remove it.')
  if (inspection.format === null) return bad('Not audio or video. It will not be ordered.')
  if (upload.bytes > maxFileBytes) return bad('Over 10 GB. Split it or compress it, then drop the parts.')
  if (inspection.hasSound === false) return bad('No sound track, so there is nothing to transcribe.')
  return null
}

/**
 * The tray's verdict on an upload before it is paid for.
 * @param twin an earlier upload with the same content, in the tray or submitted
 * @param known a file of the account with the same recording, or one that looks like it
 */
export function judgeUpload(
  upload: Upload,
  twin: Upload | null,
  known: KnownFile | null,
  price: Quote | null,
): Verdict {
  if (upload.source.kind === 'file' && upload.source.file === null) {
    return { level: 'file-needed', text: 'Choose this file again: the page was reloaded.' }
  }
  const problem = findProblem(upload)
  if (problem !== null) return problem
  const isKnown = known !== null && (twin === null || twin.state.is === 'ordered')
  if (twin !== null && !isKnown) return { level: 'twin', text: twinText(twin) }
  if (isKnown) {
    const { name, ordered, isSame } = known
    if (isSame) return { level: 'known', text: `Already on the account as “${name}”, ordered ${ordered}` }
    return { level: 'alike', text: `Looks like “${name}” of the account, ordered ${ordered}` }
  }
  if (upload.source.kind === 'link') return { level: 'note', text: 'Measured and priced after the download' }
  if (upload.inspection !== null && upload.inspection.durationMs === null) {
    const most = price?.certainty === 'most' ? ' If it costs more than this, you are asked first.' : ''
    return { level: 'note', text: `The file does not say how long it is; it is measured after the upload.${most}` }
  }
  return ok
}

function twinText({ name, state }: Upload): string {
  if (state.is === 'draft') return `Same recording as “${name}”`
  if (state.is === 'ordered') return `Same recording as “${name}”, ordered just now`
  if (state.is === 'failed') return `Same recording as “${name}”, whose upload failed: retry that one`
  return `Same recording as “${name}”, which is already uploading`
}

/** Maps each upload of the tray, by id, to the earlier one with the same content, in the tray or submitted. */
export function findTwins(tray: readonly Upload[], submitted: readonly Upload[]): ReadonlyMap<string, Upload> {
  const firsts = new Map<string, Upload>()
  const twins = new Map<string, Upload>()
  for (const upload of [...submitted, ...tray]) {
    const content = upload.inspection?.fingerprint
    if (content == null) continue
    const first = firsts.get(content)
    if (first === undefined) firsts.set(content, upload)
    else twins.set(upload.id, first)
  }
  return twins
}
