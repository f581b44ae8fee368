import { demuxerWhitelist } from './containers.ts'

/** A recording that is elsewhere: its bytes are fetched as ffmpeg and ffprobe ask for them. */
type RemoteMedia = {
  /** an address of this machine that nobody else knows */
  url: string
  bytes: number
  head(bytes: number): Promise<Uint8Array>
}

/** Where ffmpeg and ffprobe read a recording: a path of ours, never a client's text, or an address of ours. */
export type MediaSource = string | RemoteMedia

/** Arguments before the input of ffprobe and ffmpeg: only what the recording needs, and the listed formats. */
export function safeInput(source: MediaSource): string[] {
  const protocols = typeof source === 'string' ? 'file' : 'http,tcp'
  return ['-v', 'error', '-protocol_whitelist', protocols, '-format_whitelist', demuxerWhitelist]
}

/** `file:` and an absolute path, so that no name can be mistaken for an option or another protocol; or the address. */
export function inputUrl(source: MediaSource): string {
  return typeof source === 'string' ? `file:${source}` : source.url
}
