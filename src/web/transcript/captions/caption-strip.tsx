import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import { toCaptionMs } from '../../../formats/captions/caption-rules.ts'
import { type Cue, shownLines } from '../../../formats/captions/cues.ts'
import type { Session } from '../../base/api/client.ts'
import { files } from '../../base/api/files.ts'
import { useSignal } from '../../base/state/signal.ts'
import { useWidth } from '../../base/ui/use-width.ts'
import type { WordTable } from '../model/word-table.ts'
import { barHeights, barsPath, pitch, readLoudness } from '../player/bars.ts'
import { followClock } from '../player/follow-clock.ts'
import type { Playback } from '../player/playback.ts'
import type { Captions } from './captions.ts'
import { EdgeHandle } from './edge-handle.tsx'
import { split } from './set-captions.ts'
import { places, quietPlaces, type Stretch, wordsIn } from './snap.ts'
import { placeAtShot } from './snap-to-shots.ts'
import { useZoom, ZoomButtons } from './strip-zoom.tsx'

const barsHeight = 40

type Props = {
  session: Session
  id: string
  durationSeconds: number
  playback: Playback
  captions: Captions
  /** when shots begin, in milliseconds, rising */
  shots: readonly number[]
}

/** The waveform around the current caption, overlaid with its words and its neighbors; its edges can be dragged. */
export function CaptionStrip({ session, id, durationSeconds, playback, captions, shots }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const width = useWidth(host)
  const { cues, current, table } = useSignal(captions.state)
  const rules = useSignal(captions.rules)
  const { data: peaks = null } = useQuery({ ...files.finePeaks(session, id), select: readLoudness })
  const cue = cues[current]
  const { pixelsPerSecond, zoom } = useZoom(host)
  const seen = useStretch(cue, width, pixelsPerSecond)
  const heights = useMemo(() => toHeights(peaks, seen, durationSeconds, width), [peaks, seen, durationSeconds, width])
  const shown = cuesIn(captions, cues, seen)
  const words = table === null || cues.length === 0 ? { from: 0, to: 0 } : wordsIn(table, cues, shown.first, shown.last)
  const snaps = table === null ? [] : places(table, words, quietPlaces(heights, seen), rules)
  const cuts = shots.filter((ms) => ms >= seen.fromMs && ms <= seen.toMs)
  const leftOf = (ms: number) => ((ms - seen.fromMs) / 1_000) * pixelsPerSecond
  return (
    <div
      ref={host}
      className="relative h-24 overflow-hidden border-t border-line bg-sunken select-none [contain:strict]"
      data-caption-strip
    >
      <Bars heights={heights} />
      <Shots cuts={cuts} leftOf={leftOf} />
      {table !== null && (
        <Words
          {...{ captions, current, leftOf }}
          words={spokenWords(table, words, rules)}
          own={[cue?.word ?? 0, cues[current + 1]?.word ?? table.count]}
        />
      )}
      {cues.slice(shown.first, shown.last + 1).map((one, at) => {
        const index = shown.first + at
        const box = {
          cue: one,
          left: leftOf(one.startMs),
          width: ((one.endMs - one.startMs) / 1_000) * pixelsPerSecond,
        }
        return <CueBox key={index} {...box} isCurrent={index === current} onClick={() => captions.goTo(index)} />
      })}
      {cue !== undefined &&
        (['start', 'end'] as const).map((edge) => (
          <EdgeHandle
            key={edge}
            {...{ captions, edge, cue, pixelsPerSecond }}
            snaps={[...snaps, ...cuts.map((ms) => placeAtShot(ms, edge, { rules }))].sort((a, b) => a - b)}
            index={current}
            left={leftOf(edge === 'start' ? cue.startMs : cue.endMs)}
          />
        ))}
      <Playhead {...{ playback, durationSeconds, pixelsPerSecond }} fromMs={seen.fromMs} />
      <ZoomButtons zoom={zoom} />
    </div>
  )
}

/** Lines where shots of the video begin. */
function Shots({ cuts, leftOf }: { cuts: readonly number[]; leftOf: (ms: number) => number }) {
  return cuts.map((ms) => (
    <i
      key={ms}
      aria-hidden="true"
      data-shot
      className="absolute inset-y-0 border-l border-dashed border-ink-3"
      style={{ left: leftOf(ms) }}
    />
  ))
}

function Bars({ heights }: { heights: Float32Array }) {
  return (
    <svg
      aria-hidden="true"
      className="absolute inset-x-0 top-1 w-full text-line-strong forced-colors:text-[GrayText]"
      height={barsHeight}
    >
      <path d={barsPath(heights, barsHeight)} fill="currentColor" />
    </svg>
  )
}

type BoxProps = { cue: Cue; left: number; width: number; isCurrent: boolean; onClick: () => void }

function CueBox({ cue, left, width, isCurrent, onClick }: BoxProps) {
  const text = shownLines(cue).join(' ')
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden="true"
      data-cue={isCurrent ? 'current' : undefined}
      onClick={onClick}
      className={`absolute bottom-1 h-6 rounded-sm border px-2 text-left text-xs ${oneLine(text, width - 18)} ${isCurrent ? 'border-accent bg-accent-soft text-ink forced-colors:outline-2 forced-colors:outline-[Highlight]' : 'border-line-strong bg-surface text-ink-3'}`}
      style={{ left, width: Math.max(4, width) }}
    >
      {text}
    </button>
  )
}

type WordsProps = {
  captions: Captions
  words: readonly { word: number; text: string; ms: number }[]
  /** word range of the current caption: from, to */
  own: readonly [number, number]
  current: number
  leftOf: (ms: number) => number
}

/** Limits the words to what a strip can show of fast speech. */
function spokenWords(table: WordTable, { from, to }: { from: number; to: number }, rules: CaptionRules) {
  return Array.from({ length: Math.min(120, to - from) }, (_, at) => {
    return { word: from + at, text: table.wordText(from + at), ms: toCaptionMs(table.startOf(from + at), rules) }
  })
}

/** In less, a word would be a stump of one or two letters. */
const leastPx = 22

/** Clips what may be wider than its place. Each clip costs time in every frame, also of those in which the list scrolls. */
const oneLine = (text: string, widthPx = Number.POSITIVE_INFINITY) =>
  text.length * 7 + 4 < widthPx ? 'whitespace-nowrap' : 'truncate'

/** Words at their times; the current caption can be split before any of its words. */
function Words({ captions, words, own, leftOf }: WordsProps) {
  return words.map(({ word, text, ms }, at) => {
    const left = leftOf(ms)
    const next = words[at + 1]
    // Words must not overlap.
    const maxWidth = next && Math.max(4, leftOf(next.ms) - left - 2)
    const place = { left, maxWidth }
    const shown = maxWidth !== undefined && maxWidth < leastPx ? '' : text
    const className = `absolute top-11 h-5 border-l border-line-strong pl-1 text-left text-xs ${oneLine(shown, maxWidth)}`
    if (word <= own[0] || word >= own[1]) {
      return (
        <span key={word} aria-hidden="true" className={`${className} text-ink-3`} style={place}>
          {shown}
        </span>
      )
    }
    return (
      <button
        key={word}
        type="button"
        tabIndex={-1}
        aria-label={`Split before “${text}”`}
        data-tooltip={`Split before “${text}”`}
        onClick={() => void captions.change('Split caption', (made, index) => split(made, index, word))}
        className={`${className} text-ink-2 hover:border-accent hover:text-accent`}
        style={place}
      >
        {shown}
      </button>
    )
  })
}

/** The playback position, animated by the compositor. */
function Playhead({
  playback,
  durationSeconds,
  pixelsPerSecond,
  fromMs,
}: {
  playback: Playback
  durationSeconds: number
  pixelsPerSecond: number
  fromMs: number
}) {
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (line.current === null || !(durationSeconds > 0)) return
    const from = (-fromMs / 1_000) * pixelsPerSecond
    const to = from + durationSeconds * pixelsPerSecond
    const transform = [`translateX(${from}px)`, `translateX(${to}px)`]
    return followClock(playback, [
      line.current.animate({ transform }, { duration: durationSeconds * 1_000, fill: 'both' }),
    ])
  }, [playback, durationSeconds, pixelsPerSecond, fromMs])
  return (
    <div
      ref={line}
      aria-hidden="true"
      className="pointer-events-none absolute inset-y-0 left-0 w-0.5 bg-bad forced-colors:bg-[Highlight]"
    />
  )
}

/** Centers the current caption; the view stays fixed while its edges are moved. */
function useStretch(cue: Cue | undefined, width: number, pixelsPerSecond: number): Stretch {
  const [seen, setSeen] = useState<Stretch & { word: number; width: number; pixelsPerSecond: number }>({
    fromMs: 0,
    toMs: 1,
    word: -1,
    width: 0,
    pixelsPerSecond,
  })
  const word = cue?.word ?? -1
  const isSeen = seen.word === word && seen.width === width && seen.pixelsPerSecond === pixelsPerSecond
  if (cue !== undefined && !isSeen) {
    const halfMs = (width / pixelsPerSecond / 2) * 1_000
    const middle = (cue.startMs + cue.endMs) / 2
    setSeen({ fromMs: middle - halfMs, toMs: middle + halfMs, word, width, pixelsPerSecond })
  }
  return seen
}

function toHeights(peaks: Float32Array | null, { fromMs, toMs }: Stretch, durationSeconds: number, width: number) {
  if (peaks === null || !(durationSeconds > 0)) return new Float32Array(Math.floor(width / pitch))
  const bars = Math.floor(width / pitch)
  const perMs = peaks.length / (durationSeconds * 1_000)
  const before = Math.max(0, Math.round((-fromMs / (toMs - fromMs)) * bars))
  const part = peaks.subarray(Math.max(0, Math.floor(fromMs * perMs)), Math.max(0, Math.ceil(toMs * perMs)))
  const heights = new Float32Array(bars)
  heights.set(barHeights(part, Math.max(0, bars - before)), Math.min(before, bars))
  return heights
}

function cuesIn(captions: Captions, cues: readonly Cue[], { fromMs, toMs }: Stretch): { first: number; last: number } {
  return { first: captions.at(fromMs), last: Math.min(cues.length - 1, captions.at(toMs)) }
}
