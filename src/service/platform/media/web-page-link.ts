import { ServiceError } from '../service-error.ts'

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

/** A link that leads to a web page instead of a recording: a 415 that says what to do. */
export function webPageError(link: string): ServiceError {
  const host = URL.parse(link.trim())?.hostname ?? ''
  const site = Object.keys(advice).find((ending) => host === ending || host.endsWith(`.${ending}`))
  const remedy = site === undefined ? 'Use the address of the file itself, or upload the file.' : advice[site]
  return new ServiceError(415, `This link shows a web page, not a recording. ${remedy} Nothing was charged.`)
}
