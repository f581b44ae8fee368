import { type Playback, playback } from '../../../contract/account/file-pages.ts'
import { peaksUrl, playbackUrl } from './addresses.ts'
import { ApiError, type Credentials, readJson, request } from './client.ts'

/** A short-lived URL that plays a recording with Range requests, or null if the service offers none. */
export async function fetchPlayback(credentials: Credentials, id: string): Promise<Playback | null> {
  try {
    const response = await request(credentials, playbackUrl(credentials.environment, id), { method: 'POST' })
    return await readJson(response, playback)
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 405)) return null
    throw error
  }
}

/**
 * The waveform's bytes, or null if the service has none (yet).
 * @param isFine at full resolution, about a megabyte for a long recording
 */
export async function fetchPeaks(credentials: Credentials, id: string, isFine = false): Promise<ArrayBuffer | null> {
  try {
    const response = await request(credentials, peaksUrl(credentials.environment, id) + (isFine ? '?fine' : ''))
    return response.status === 200 ? await response.arrayBuffer() : null
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) return null
    throw error
  }
}
