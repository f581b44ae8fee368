import { ChevronsLeft, ChevronsRight, Pause, Play, Repeat, Volume2 } from 'lucide-react'
import { useSignal } from '../../base/state/signal.ts'
import { clockText } from '../../base/ui/duration.ts'
import { IconButton, pressedClass } from '../../base/ui/icon-button.tsx'
import { Menu, MenuCheck } from '../../base/ui/menu.tsx'
import { Popover } from '../../base/ui/popover.tsx'
import { useMedia } from '../../base/ui/use-media.ts'
import type { Desk } from '../desk/desk.ts'
import type { OpenDesk } from '../desk/open-desk.ts'
import { type AttachProps, AttachRecording } from '../player/attach-recording.tsx'
import { Clock } from '../player/clock.tsx'
import { skipSeconds } from '../player/media-session.ts'
import { type Playback, type PlaybackState, rates } from '../player/playback.ts'
import { Waveform } from '../player/waveform.tsx'

type Props = Pick<OpenDesk, 'desk' | 'correcting'> & {
  peaks: Float32Array | null
  durationSeconds: number
  isPhone: boolean
  attach: AttachProps
}

/** The player at the bottom of the page: play, skip, seek, speed, loop and volume. */
export function PlayerBar({ desk, correcting, peaks, durationSeconds, isPhone, attach }: Props) {
  const { playback } = desk
  const state = useSignal(playback.state)
  const isCorrecting = useSignal(correcting.editing) !== null
  const isLow = useMedia('(height < 500px)')
  if (state.status === 'none' || state.status === 'failed') {
    return <AttachRecording failed={state.status === 'failed'} {...attach} />
  }
  // Two rows only if the height allows: not with an on-screen keyboard, or text at 200%.
  const isTall = isPhone && !isLow && !isCorrecting
  const length =
    Number.isFinite(state.durationSeconds) && state.durationSeconds > 0 ? state.durationSeconds : durationSeconds
  const wave = <Waveform playback={playback} durationSeconds={length} peaks={peaks} height={isTall ? 28 : 32} />
  const Bar = isTall ? PhoneBar : WideBar
  return <Bar desk={desk} state={state} length={length} wave={wave} />
}

type BarProps = { desk: Desk; state: PlaybackState; length: number; wave: React.ReactNode }

function PhoneBar({ desk, state, length, wave }: BarProps) {
  const { playback } = desk
  return (
    <section
      aria-label="Player"
      className="grid gap-2 border-t border-line bg-surface px-4 pt-3 pb-[max(1rem,env(safe-area-inset-bottom))]"
    >
      <div className="flex">{wave}</div>
      <div className="grid grid-cols-[1fr_auto_1fr] items-center">
        <Clock playback={playback} durationSeconds={length} tenths={false} beginsAt={useSignal(desk.beginsAt)} />
        <Transport playback={playback} playing={state.playing} />
        <div className="flex justify-end gap-1">
          <LoopButton desk={desk} />
          <RateMenu playback={playback} rate={state.rate} />
        </div>
      </div>
    </section>
  )
}

function WideBar({ desk, state, length, wave }: BarProps) {
  const { playback } = desk
  return (
    <section
      aria-label="Player"
      className="flex h-16 items-center gap-4 border-t border-line bg-surface px-5 phone:gap-3 phone:px-3 low:h-12"
    >
      <Transport playback={playback} playing={state.playing} />
      <Clock playback={playback} durationSeconds={length} tenths beginsAt={useSignal(desk.beginsAt)} />
      {wave}
      <span className="text-sm text-ink-3 tabular-nums phone:hidden">
        <span className="sr-only">Length </span>
        {clockText(length)}
      </span>
      <div className="flex items-center gap-1">
        <LoopButton desk={desk} />
        <span className="phone:hidden">
          <VolumeControl playback={playback} volume={state.volume} />
        </span>
        <RateMenu playback={playback} rate={state.rate} />
      </div>
    </section>
  )
}

function Transport({ playback, playing }: { playback: Playback; playing: boolean }) {
  return (
    <div className="flex items-center gap-2">
      <IconButton label={`Back ${skipSeconds} seconds`} onClick={() => playback.skip(-skipSeconds)}>
        <ChevronsLeft aria-hidden />
      </IconButton>
      <button
        type="button"
        aria-label={playing ? 'Pause' : 'Play'}
        onClick={() => playback.toggle()}
        className="grid size-10 place-items-center rounded-full bg-accent text-on-accent transition-colors hover:bg-accent-strong phone:size-12 low:size-9 forced-colors:border [&_svg]:size-4.5 [&_svg]:fill-current"
      >
        {playing ? (
          <Pause aria-hidden strokeWidth={0} />
        ) : (
          <Play aria-hidden strokeWidth={1} className="translate-x-px" />
        )}
      </button>
      <IconButton label={`Forward ${skipSeconds} seconds`} onClick={() => playback.skip(skipSeconds)}>
        <ChevronsRight aria-hidden />
      </IconButton>
    </div>
  )
}

function LoopButton({ desk }: { desk: Desk }) {
  const loop = useSignal(desk.loop)
  return (
    <IconButton
      label={loop === null ? 'Loop the selected words' : 'Stop looping'}
      aria-pressed={loop !== null}
      className={pressedClass}
      // Keeps the press from clearing the selection that is to be looped.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => desk.toggleLoop()}
    >
      <Repeat aria-hidden />
    </IconButton>
  )
}

function VolumeControl({ playback, volume }: { playback: Playback; volume: number }) {
  return (
    <Popover
      title="Volume"
      trigger={
        <IconButton label="Volume" tooltip={false}>
          <Volume2 aria-hidden />
        </IconButton>
      }
    >
      <input
        type="range"
        aria-label="Volume"
        min={0}
        max={1}
        step={0.05}
        value={volume}
        onChange={(event) => playback.setVolume(event.target.valueAsNumber)}
        className="w-full"
      />
    </Popover>
  )
}

function RateMenu({ playback, rate }: { playback: Playback; rate: number }) {
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Speed ${rate}×`}
          className="h-6 min-w-11 rounded-full bg-sunken px-2 text-xs font-medium text-ink-2 hover:text-ink phone:h-7"
        >
          {rate}×
        </button>
      }
    >
      {rates.map((one) => (
        <MenuCheck key={one} checked={one === rate} onChange={() => playback.setRate(one)}>
          {one}×
        </MenuCheck>
      ))}
    </Menu>
  )
}
