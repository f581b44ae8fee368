export type MediaKind = 'audio' | 'video'

type MediaFormat = { kind: MediaKind; mimeTypes: readonly [string, ...string[]] }

/**
 * The 26 formats of spec 4.2 and their MIME types: the registered type first, then the aliases that browsers, operating
 * systems and recorders send.
 */
export const mediaFormats = {
  mp3: {
    kind: 'audio',
    mimeTypes: [
      'audio/mpeg',
      'audio/mp3',
      'audio/mpeg3',
      'audio/x-mpeg',
      'audio/x-mp3',
      'audio/x-mpeg-3',
      'audio/mpg',
      'audio/x-mpg',
    ],
  },
  wav: { kind: 'audio', mimeTypes: ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave', 'audio/x-pn-wav'] },
  wma: { kind: 'audio', mimeTypes: ['audio/x-ms-wma', 'audio/wma', 'audio/x-wma'] },
  wmv: { kind: 'video', mimeTypes: ['video/x-ms-wmv', 'video/wmv', 'video/x-ms-asf', 'application/vnd.ms-asf'] },
  avi: {
    kind: 'video',
    mimeTypes: ['video/x-msvideo', 'video/avi', 'video/msvideo', 'video/vnd.avi', 'application/x-troff-msvideo'],
  },
  flv: { kind: 'video', mimeTypes: ['video/x-flv', 'video/flv'] },
  mpg: { kind: 'video', mimeTypes: ['video/mpeg', 'video/mpg', 'video/x-mpeg', 'video/x-mpg'] },
  mpeg: { kind: 'video', mimeTypes: ['video/mpeg', 'video/mpg', 'video/x-mpeg', 'video/x-mpg'] },
  mp4: { kind: 'video', mimeTypes: ['video/mp4', 'audio/mp4', 'application/mp4'] },
  m4a: { kind: 'audio', mimeTypes: ['audio/x-m4a', 'audio/m4a', 'audio/mp4', 'audio/mp4a-latm'] },
  m4v: { kind: 'video', mimeTypes: ['video/x-m4v', 'video/m4v', 'video/mp4'] },
  mov: { kind: 'video', mimeTypes: ['video/quicktime', 'video/mov', 'video/x-quicktime'] },
  ogg: {
    kind: 'audio',
    mimeTypes: ['audio/ogg', 'application/ogg', 'audio/x-ogg', 'audio/vorbis', 'audio/x-vorbis+ogg'],
  },
  webm: { kind: 'video', mimeTypes: ['video/webm', 'audio/webm'] },
  aif: { kind: 'audio', mimeTypes: ['audio/aiff', 'audio/x-aiff', 'audio/aif'] },
  aiff: { kind: 'audio', mimeTypes: ['audio/aiff', 'audio/x-aiff', 'audio/aif'] },
  amr: { kind: 'audio', mimeTypes: ['audio/amr', 'audio/amr-wb', 'audio/x-amr', 'audio/3gpp'] },
  '3gp': { kind: 'video', mimeTypes: ['video/3gpp', 'video/3gp', 'audio/3gpp', 'video/3gpp2', 'audio/3gpp2'] },
  '3ga': { kind: 'audio', mimeTypes: ['audio/3gpp', 'audio/3ga', 'audio/x-3ga', 'video/3gpp'] },
  mts: {
    kind: 'video',
    mimeTypes: ['video/mp2t', 'video/vnd.dlna.mpeg-tts', 'video/avchd-stream', 'model/vnd.mts', 'video/mts'],
  },
  ogv: { kind: 'video', mimeTypes: ['video/ogg', 'application/ogg', 'video/x-ogg', 'video/x-theora+ogg'] },
  aac: {
    kind: 'audio',
    mimeTypes: ['audio/aac', 'audio/x-aac', 'audio/aacp', 'audio/vnd.dlna.adts', 'audio/x-hx-aac-adts'],
  },
  mkv: {
    kind: 'video',
    mimeTypes: ['video/x-matroska', 'video/matroska', 'video/mkv', 'audio/x-matroska', 'audio/matroska'],
  },
  mxf: { kind: 'video', mimeTypes: ['application/mxf', 'video/mxf', 'application/x-mxf'] },
  opus: {
    kind: 'audio',
    mimeTypes: ['audio/opus', 'audio/ogg', 'audio/x-opus', 'audio/x-opus+ogg', 'application/ogg'],
  },
  flac: { kind: 'audio', mimeTypes: ['audio/flac', 'audio/x-flac', 'application/x-flac', 'application/flac'] },
} as const satisfies Record<string, MediaFormat>

export type MediaExtension = keyof typeof mediaFormats
export const mediaExtensions = Object.keys(mediaFormats) as MediaExtension[]

/** Generic types: the first bytes decide (decision 3). */
export const undeclaredMimeTypes: readonly string[] = ['application/octet-stream', 'binary/octet-stream', '']

/** The bare lower-case type of a Content-Type value: `Audio/MPEG; x=y` gives `audio/mpeg`. */
export function bareMimeType(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** The formats a MIME type may stand for; empty if the type is not supported. */
export function extensionsOfMimeType(contentType: string): MediaExtension[] {
  const bare = bareMimeType(contentType)
  return mediaExtensions.filter((extension) => (mediaFormats[extension].mimeTypes as readonly string[]).includes(bare))
}

/** The format that a file name's extension suggests, or null. It proves nothing about the content. */
export function extensionOfName(fileName: string): MediaExtension | null {
  const ending = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase()
  return ending !== undefined && ending in mediaFormats ? (ending as MediaExtension) : null
}
