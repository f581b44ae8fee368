import type { MediaExtension } from '../../../contract/interface/media-formats.ts'

/** Container formats that the first bytes and ffprobe can distinguish. */
export type Container =
  | 'mp3'
  | 'wav'
  | 'asf'
  | 'avi'
  | 'flv'
  | 'mpeg'
  | 'mpegts'
  | 'mp4'
  | 'ogg'
  | 'matroska'
  | 'aiff'
  | 'amr'
  | 'aac'
  | 'mxf'
  | 'flac'

/**
 * The ffprobe demuxers that may open a recording. Others are forbidden: playlists, concatenations and scripts would
 * make it read other files.
 */
const demuxers: Record<string, Container> = {
  mp3: 'mp3',
  wav: 'wav',
  asf: 'asf',
  avi: 'avi',
  flv: 'flv',
  mpeg: 'mpeg',
  mpegvideo: 'mpeg',
  mpegts: 'mpegts',
  mov: 'mp4',
  ogg: 'ogg',
  matroska: 'matroska',
  aiff: 'aiff',
  amr: 'amr',
  aac: 'aac',
  mxf: 'mxf',
  flac: 'flac',
}
export const demuxerWhitelist = Object.keys(demuxers).join(',')

/** `'mov,mp4,m4a,3gp,3g2,mj2'` gives `'mp4'`; null for a format that is not listed. */
export function containerOfDemuxer(formatName: string): Container | null {
  return demuxers[formatName.split(',', 1)[0] ?? ''] ?? null
}

/** File extensions as reported by file-type, by container. Anything else is not a supported recording. */
const endings: Record<Container, readonly string[]> = {
  mp3: ['mp3', 'mp2', 'mp1'],
  wav: ['wav'],
  asf: ['asf', 'wma', 'wmv'],
  avi: ['avi'],
  flv: ['flv'],
  mpeg: ['mpg'],
  mpegts: ['mts'],
  mp4: ['mp4', 'm4a', 'm4v', 'm4b', 'm4p', 'mov', '3gp', '3g2', 'f4v', 'f4p', 'f4a', 'f4b'],
  ogg: ['ogg', 'oga', 'opus', 'ogv', 'ogm', 'ogx', 'spx'],
  matroska: ['mkv', 'webm'],
  aiff: ['aif'],
  amr: ['amr'],
  aac: ['aac'],
  mxf: ['mxf'],
  flac: ['flac'],
}

export function containerOfEnding(ending: string): Container | null {
  const containers = Object.keys(endings) as Container[]
  return containers.find((container) => endings[container].includes(ending)) ?? null
}

/** Determines which of a container's file extensions is right. */
export type Content = {
  container: Container
  /** major brand of an mp4, document type of a matroska, as reported by file-type; null if unknown */
  ending: string | null
  hasVideo: boolean
  audioCodec: string
}

/** The formats of spec 4.2 that fit a content, best first. */
export function possibleExtensions({ container, ending, hasVideo, audioCodec }: Content): readonly MediaExtension[] {
  switch (container) {
    case 'asf':
      return hasVideo ? ['wmv'] : ['wma', 'wmv']
    case 'mpeg':
      return ['mpg', 'mpeg']
    case 'mpegts':
      return ['mts']
    case 'mp4':
      if (ending === 'mov') return ['mov']
      if (ending === '3gp' || ending === '3g2') return hasVideo ? ['3gp'] : ['3ga', '3gp']
      return hasVideo ? ['mp4', 'm4v', 'mov'] : ['m4a', 'mp4', '3ga']
    case 'ogg':
      if (hasVideo) return ['ogv', 'ogg']
      return audioCodec === 'opus' ? ['opus', 'ogg'] : ['ogg']
    case 'matroska':
      return ending === 'webm' ? ['webm'] : ['mkv']
    case 'aiff':
      return ['aiff', 'aif']
    default:
      return [container]
  }
}
