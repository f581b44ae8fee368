import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MediaExtension } from '../../../../contract/interface/media-formats.ts'
import { runFfmpeg } from './run-ffmpeg.ts'

const video = ['-f', 'lavfi', '-i', 'testsrc=s=176x144:r=25:d=2', '-shortest']
const mpeg1 = [...video, '-ar', '44100', '-c:v', 'mpeg1video', '-c:a', 'mp2', '-f', 'mpeg']
const h264 = [...video, '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']
const vp8 = [...video, '-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus']

/** ffmpeg arguments for two seconds of a tone, by format. */
const recipes: Record<Exclude<MediaExtension, 'amr'>, readonly string[]> = {
  mp3: ['-c:a', 'libmp3lame'],
  wav: [],
  wma: ['-c:a', 'wmav2', '-f', 'asf'],
  wmv: [...video, '-c:v', 'wmv2', '-c:a', 'wmav2', '-f', 'asf'],
  avi: [...video, '-c:v', 'mpeg4', '-c:a', 'libmp3lame'],
  flv: [...video, '-c:v', 'flv', '-ar', '44100', '-c:a', 'libmp3lame'],
  mpg: mpeg1,
  mpeg: [...video, '-c:v', 'mpeg2video', '-c:a', 'mp2', '-f', 'vob'],
  mp4: h264,
  m4a: ['-c:a', 'aac', '-f', 'ipod'],
  m4v: [...h264, '-f', 'ipod'],
  mov: [...h264, '-f', 'mov'],
  ogg: ['-c:a', 'libvorbis'],
  webm: vp8,
  aif: ['-f', 'aiff'],
  aiff: ['-f', 'aiff'],
  '3gp': [...video, '-c:v', 'h263', '-ar', '8000', '-c:a', 'aac', '-f', '3gp'],
  '3ga': ['-ar', '8000', '-c:a', 'aac', '-f', '3gp'],
  mts: [...h264, '-f', 'mpegts', '-mpegts_m2ts_mode', '1'],
  ogv: [...video, '-c:v', 'libtheora', '-c:a', 'libvorbis', '-f', 'ogg'],
  aac: ['-c:a', 'aac', '-f', 'adts'],
  mkv: vp8,
  mxf: [...video, '-c:v', 'mpeg2video', '-ar', '48000', '-c:a', 'pcm_s16le'],
  opus: ['-c:a', 'libopus'],
  flac: [],
}

/** Two seconds of AMR: 100 frames of the 12.2 kbit/s mode (RFC 4867, section 5). This ffmpeg has no encoder for it. */
function amrSample(): Uint8Array {
  const frame = new Uint8Array(32)
  frame[0] = 0x3c
  return Buffer.concat([Buffer.from('#!AMR\n'), ...Array.from({ length: 100 }, () => frame)])
}

/** Makes a sample of two seconds in one of the 26 formats, for tests. @returns its path */
export function makeSample(directory: string, extension: MediaExtension): string {
  const path = join(directory, `sample.${extension}`)
  if (extension === 'amr') writeFileSync(path, amrSample())
  else runFfmpeg('-f', 'lavfi', '-i', 'sine=440:d=2', ...recipes[extension], path)
  return path
}
