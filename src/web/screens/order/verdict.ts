import { maxFileBytes } from '../../../contract/interface/limits.ts'
import type { Quote } from '../../signed-in/options/price-book.ts'
import type { Twin } from '../../signed-in/uploads/tray/twins.ts'
import { isLost, type LostUpload, lacksFile, type Upload } from '../../signed-in/uploads/tray/upload.ts'

export type Verdict = {
  /**
   * `bad` and `file-needed` uploads stay in the tray when the others are submitted; so do a `twin` of another upload or
   * of a `known` file of the account, and one that looks `alike`, unless duplicates are wanted; all wait for one that is
   * `comparing`
   */
  readonly level: 'ok' | 'note' | 'comparing' | 'twin' | 'known' | 'alike' | 'file-needed' | 'bad'
  readonly text: string | null
  /** of an earlier order, which lost this recording in a reload */
  readonly continues?: LostUpload
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

type Likes = {
  /** an earlier upload with the same bytes, or one that may have them, in the tray or submitted */
  readonly twin: Twin | null
  /** a file of the account with the same recording, or one that looks like it */
  readonly known: KnownFile | null
  /** an earlier upload of another format that may be the same sound */
  readonly sound: Upload | null
}

/** The tray's verdict on an upload before it is paid for. */
export function judgeUpload(upload: Upload, { twin, known, sound }: Likes, price: Quote | null): Verdict {
  if (lacksFile(upload)) {
    return { level: 'file-needed', text: 'Choose this file again: the page was reloaded.' }
  }
  const problem = findProblem(upload)
  if (problem !== null) return problem
  if (twin !== null && isLost(twin.upload)) {
    return { level: 'twin', text: 'An earlier order waits for this recording', continues: twin.upload }
  }
  const isTwin = twin?.comparison === true
  const isKnown = known !== null && (!isTwin || twin.upload.state.is === 'ordered')
  if (isTwin && !isKnown) return { level: 'twin', text: twinText(twin.upload) }
  if (isKnown) {
    const { name, ordered, isSame } = known
    if (isSame) return { level: 'known', text: `Already on the account as “${name}”, ordered ${ordered}` }
    return { level: 'alike', text: `Looks like “${name}” of the account, ordered ${ordered}` }
  }
  if (twin !== null && !isTwin) return judgeLikeness(twin)
  if (sound !== null) return { level: 'note', text: `Same name and length as “${sound.name}”: perhaps the same sound` }
  if (upload.source.kind === 'link') return { level: 'note', text: 'Measured and priced after the download' }
  if (upload.inspection !== null && upload.inspection.durationMs === null) {
    const most = price?.certainty === 'most' ? ' If it costs more than this, you are asked first.' : ''
    return { level: 'note', text: `The file does not say how long it is; it is measured after the upload.${most}` }
  }
  return ok
}

/** Beginning, end and size are the same: a question, which the bytes between them answer. */
function judgeLikeness({ upload: { name }, comparison }: Twin): Verdict {
  if (typeof comparison !== 'number') return { level: 'note', text: `May be the same recording as “${name}”` }
  const percent = Math.floor(100 * comparison)
  return { level: 'comparing', text: `May be the same as “${name}”: comparing… ${percent}%` }
}

function twinText({ name, state, source }: Upload): string {
  const folder = source.kind === 'file' && source.folder !== undefined ? ` in “${source.folder}”` : ''
  if (state.is === 'draft') return `Same recording as “${name}”${folder}`
  if (state.is === 'ordered') return `Same recording as “${name}”, ordered just now`
  if (state.is === 'failed') return `Same recording as “${name}”, whose upload failed: retry that one`
  return `Same recording as “${name}”, which is already uploading`
}
