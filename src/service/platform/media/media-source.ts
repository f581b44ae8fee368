import { demuxerWhitelist } from './containers.ts'

/** A remote recording: its bytes are fetched as ffmpeg and ffprobe read them. */
type RemoteMedia = {
  /** a secret loopback URL */
  url: string
  bytes: number
  head(bytes: number): Promise<Uint8Array>
}

/** The source that ffmpeg and ffprobe read: a path of ours, never a client's text, or a URL of ours. */
export type MediaSource = string | RemoteMedia

/**
 * How far MPEG streams are read for a sound track that begins late, whose parameters stand only in its packets: ffmpeg
 * ends with an error without them. It holds this much in memory; other containers are read no further than before.
 */
const readAhead = ['-probesize', '50M', '-analyzeduration', '7200M']

/** Arguments before the input of ffprobe and ffmpeg: restricts protocols and formats to what the recording needs. */
export function safeInput(source: MediaSource): string[] {
  return [...safePictures(source), ...readAhead]
}

/** The same for a stretch of which only pictures are used: the many stretches of a video need not look for its sound. */
export function safePictures(source: MediaSource): string[] {
  const protocols = typeof source === 'string' ? 'file' : 'http,tcp'
  return ['-v', 'error', '-protocol_whitelist', protocols, '-format_whitelist', demuxerWhitelist]
}

/** `file:` and an absolute path, so that no name can be mistaken for an option or another protocol; or the URL. */
export function inputUrl(source: MediaSource): string {
  return typeof source === 'string' ? `file:${source}` : source.url
}
