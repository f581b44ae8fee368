import { bareMimeType } from '../../../contract/interface/media-formats.ts'
import { ServiceError } from '../service-error.ts'
import type { MediaSource } from './media-source.ts'
import { readHead } from './probe.ts'

/** What to do where people share a page instead of a recording, by the host's ending. */
const advice: Readonly<Record<string, string>> = {
  'dropbox.com': 'In Dropbox, end the link with dl=1 instead of dl=0.',
  'drive.google.com': 'Google Drive links open a page: download the recording there, then upload the file.',
  '1drv.ms': 'OneDrive links open a page: download the recording there, then upload the file.',
  'onedrive.live.com': 'OneDrive links open a page: download the recording there, then upload the file.',
  'sharepoint.com': 'SharePoint links open a page: download the recording there, then upload the file.',
  'we.tl': 'WeTransfer links open a page: download the recording there, then upload the file.',
  'wetransfer.com': 'WeTransfer links open a page: download the recording there, then upload the file.',
  'vimeo.com': 'Vimeo shows a player: its owner can download the video there, then upload the file.',
  'youtube.com': 'YouTube shows a player: its owner can download the video in YouTube Studio, then upload the file.',
  'youtu.be': 'YouTube shows a player: its owner can download the video in YouTube Studio, then upload the file.',
}

const pageHeadBytes = 1_024
const pageStart = /^(\xef\xbb\xbf)?\s*(<!doctype html|<html\b)/i

/** True if a download is a web page, by its type or, as some servers call everything a download, by its beginning. */
export async function isWebPage(contentType: string | undefined, source: MediaSource): Promise<boolean> {
  if (bareMimeType(contentType ?? '') === 'text/html') return true
  const { head } = await readHead(source, pageHeadBytes)
  return pageStart.test(Buffer.from(head).toString('latin1'))
}

/** A link that leads to a web page instead of a recording: a 415 that says what to do. */
export function webPageError(link: string): ServiceError {
  const host = URL.parse(link.trim())?.hostname ?? ''
  const site = Object.keys(advice).find((ending) => host === ending || host.endsWith(`.${ending}`))
  const remedy = site === undefined ? 'Use the address of the file itself, or upload the file.' : advice[site]
  return new ServiceError(415, `This link shows a web page, not a recording. ${remedy} Nothing was charged.`)
}
