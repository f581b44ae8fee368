import { ArrowUpToLine, Combine, Minus, Play, Plus, Repeat, RotateCcw, Split } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Cue, shownLines } from '../../../formats/captions/cues.ts'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { IconButton, pressedClass } from '../../base/ui/icon-button.tsx'
import type { Playback } from '../player/playback.ts'
import { mergeNext, nudge, splitInMiddle, toAutomatic } from './caption-acts.ts'
import { faultText, timeText } from './caption-text.ts'
import type { Captions } from './captions.ts'
import { type Edge, place } from './set-captions.ts'

/** The caption at hand: its text, times by frames, what breaks a rule, and the actions on it. */
export function CaptionBar({ captions, playback }: { captions: Captions; playback: Playback }) {
  const { cues, faults, current } = useSignal(captions.state)
  const cue = cues[current]
  if (cue === undefined) return <div role="toolbar" aria-label="Caption" />
  const problems = faults.get(current)?.map((fault) => faultText(fault, captions.rules.get()))
  return (
    <div
      role="toolbar"
      aria-label="Caption"
      className="flex flex-wrap content-start items-center gap-x-1 gap-y-2 overflow-y-auto px-3 py-4 phone:gap-y-1 phone:py-1.5"
    >
      <p className="w-full font-serif text-md phone:hidden">
        {shownLines(cue).map((line, at) => (
          <bdi key={at} className="block">
            {line}
          </bdi>
        ))}
      </p>
      <p role="status" className="min-h-5 w-full text-sm text-warn empty:phone:hidden">
        {problems?.join(' · ')}
      </p>
      <div className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 text-sm tabular-nums phone:hidden">
        <Frames captions={captions} edge="start" cue={cue} />
        <Frames captions={captions} edge="end" cue={cue} />
      </div>
      <IconButton label="Play this caption" onClick={() => captions.play()}>
        <Play aria-hidden />
      </IconButton>
      <LoopCaption cue={cue} playback={playback} />
      <Tools captions={captions} cue={cue} />
    </div>
  )
}

const edgeNames = { start: 'Begins', end: 'Ends' }

function Frames({ captions, edge, cue }: { captions: Captions; edge: Edge; cue: Cue }) {
  const label = edgeNames[edge]
  return (
    <span className="flex items-center gap-1">
      <span className="text-ink-3">{label}</span>
      <IconButton label={`${label} a frame earlier`} onClick={() => nudge(captions, edge, -1)}>
        <Minus aria-hidden />
      </IconButton>
      {timeText(edge === 'start' ? cue.startMs : cue.endMs)}
      <IconButton label={`${label} a frame later`} onClick={() => nudge(captions, edge, 1)}>
        <Plus aria-hidden />
      </IconButton>
    </span>
  )
}

/** Repeats the caption at hand until it is pressed again. */
function LoopCaption({ cue: { startMs, endMs }, playback }: { cue: Cue; playback: Playback }) {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    if (!isOn) return
    playback.setLoop({ from: startMs / 1_000, to: endMs / 1_000 })
    return () => playback.setLoop(null)
  }, [isOn, playback, startMs, endMs])
  return (
    <IconButton
      label="Loop this caption"
      aria-pressed={isOn}
      className={pressedClass}
      onClick={() => {
        if (isOn) playback.pause()
        setOn(!isOn)
      }}
    >
      <Repeat aria-hidden />
    </IconButton>
  )
}

function Tools({ captions, cue }: { captions: Captions; cue: Cue }) {
  return (
    <>
      <Button size="sm" onClick={() => splitInMiddle(captions)}>
        <Split aria-hidden /> <span className="phone:sr-only">Split</span>
      </Button>
      <Button size="sm" onClick={() => mergeNext(captions)}>
        <Combine aria-hidden /> <span className="phone:sr-only">Merge next</span>
      </Button>
      <IconButton
        label="At the top of the picture"
        aria-pressed={cue.edit?.top === true}
        className={pressedClass}
        onClick={() => void captions.change('Place caption', place)}
      >
        <ArrowUpToLine aria-hidden />
      </IconButton>
      <IconButton label="Automatic again" disabled={cue.edit?.whole !== true} onClick={() => toAutomatic(captions)}>
        <RotateCcw aria-hidden />
      </IconButton>
    </>
  )
}
