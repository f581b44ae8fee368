import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'

/* For tests: third-party programs that read our captions. */

const run = promisify(execFile)

export type ReadCue = { startMs: number; endMs: number; text: string }

type Packet = { pts_time: string; duration_time: string }

/** The captions of a file as read by ffprobe, without their text. */
export async function cuesByFfprobe(path: string): Promise<ReadCue[]> {
  const args = ['-v', 'error', '-show_packets', '-of', 'json', path]
  const { packets } = JSON.parse((await run('ffprobe', args, { maxBuffer: 100_000_000 })).stdout) as {
    packets: Packet[]
  }
  return packets.map(({ pts_time, duration_time }) => {
    const startMs = Math.round(Number(pts_time) * 1_000)
    return { startMs, endMs: startMs + Math.round(Number(duration_time) * 1_000), text: '' }
  })
}

/** Debian's own: another Python earlier in the path lacks its packages. */
const python = '/usr/bin/python3'

/** True if Debian's package of a module is installed, as `npm run setup` does. */
export function hasPython(module: 'webvtt' | 'ttconv'): boolean {
  try {
    execFileSync(python, ['-c', `import ${module}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const script = `
import html, json, sys, webvtt
read = {'vtt': webvtt.WebVTT.read, 'srt': webvtt.WebVTT.from_srt, 'sbv': webvtt.WebVTT.from_sbv}
for path in sys.argv[1:]:
    kind = path.rsplit('.', 1)[1]
    ms = lambda stamp: round(sum(float(part) * 60 ** at for at, part in enumerate(reversed(stamp.replace(',', '.').split(':')))) * 1000)
    text = lambda cue: html.unescape(cue.text) if kind == 'vtt' else '\\n'.join(cue.lines)
    print(json.dumps([{'startMs': ms(cue.start), 'endMs': ms(cue.end), 'text': text(cue)} for cue in read[kind](path)]))
`

/** The captions of files as read by webvtt-py, which rejects malformed files. */
export async function cuesByWebvttPy(paths: readonly string[]): Promise<ReadCue[][]> {
  const { stdout } = await run(python, ['-c', script, ...paths], { maxBuffer: 100_000_000 })
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const ttconvScript = `
import json, sys
import ttconv.imsc.reader, ttconv.stl.reader, ttconv.srt.writer
import xml.etree.ElementTree as tree
for path in sys.argv[1:]:
    if path.endswith('.stl'):
        with open(path, 'rb') as file: doc = ttconv.stl.reader.to_model(file)
    else:
        doc = ttconv.imsc.reader.to_model(tree.parse(path))
    print(json.dumps(ttconv.srt.writer.from_model(doc)))
`

/** The captions of TTML and EBU-STL files as read by ttconv. */
export async function cuesByTtconv(paths: readonly string[]): Promise<ReadCue[][]> {
  const { stdout } = await run(python, ['-c', ttconvScript, ...paths], { maxBuffer: 100_000_000 })
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as string).trim().split(/\n\n+/).map(readSrtCue))
}

function readSrtCue(cue: string): ReadCue {
  const [, times = '', ...lines] = cue.split('\n')
  const [startMs = 0, endMs = 0] = times.split(' --> ').map((time) => {
    const [hours = 0, minutes = 0, seconds = 0, ms = 0] = time.split(/[:,]/).map(Number)
    return ((hours * 60 + minutes) * 60 + seconds) * 1_000 + ms
  })
  return { startMs, endMs, text: lines.join('\n') }
}
