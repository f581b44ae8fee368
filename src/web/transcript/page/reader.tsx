import { ArrowDown } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import type { Desk } from '../desk/desk.ts'
import { readingSettings } from '../desk/reading-settings.ts'
import { Picture } from '../player/picture.tsx'
import { listenToReader, type ReaderHandlers } from '../view/reader-events.ts'

type Props = { desk: Desk } & Pick<ReaderHandlers, 'onClick' | 'onEdit'>

/** The reading column. React renders its two elements; the desk's view renders their content outside React. */
export function Reader({ desk, onClick, onEdit }: Props) {
  const scroller = useRef<HTMLElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const click = useEffectEvent(onClick)
  const edit = useEffectEvent(onEdit)
  const { times } = useSignal(readingSettings)

  useEffect(() => {
    if (scroller.current === null || sheet.current === null) return
    const detach = desk.attach(scroller.current, sheet.current)
    const stopListening = listenToReader(scroller.current, {
      shown: () => desk.view?.shown ?? null,
      onClick: (at, word) => click(at, word),
      onSpeaker: (block, anchor) => desk.openSpeakerMenu(block, anchor),
      onPlay: (word) => desk.playWord(word),
      onEdit: (block, word) => edit(block, word),
      onScroll: () => desk.stopFollowing(),
      leavesEnter: (block) => {
        const doubt = desk.doubt.get()
        return doubt !== null && (block === null || block === desk.text.state.get().blocks.blockOf(doubt.from))
      },
      onFocusBlock: (block) => desk.view?.focusBlock(block),
    })
    return () => {
      stopListening()
      detach()
    }
  }, [desk])

  useEffect(() => {
    // Opened by keyboard: its keys work on a turn.
    const focusText = () => {
      if (desk.text.state.get().table.count === 0) return
      stop()
      // Words that were prefetched arrive before the shell has moved the focus.
      queueMicrotask(() => {
        if (document.activeElement?.matches('#content:focus-visible')) desk.view?.focusBlock(null)
      })
    }
    const stop = desk.text.state.subscribe(focusText)
    return stop
  }, [desk])

  return (
    <div className="relative grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)]">
      <section
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
        tabIndex={0}
        aria-label="Transcript"
        className="reader"
        data-times={times ? 'on' : 'off'}
      >
        <Sheet desk={desk} ref={sheet} />
      </section>
      <BackToSpoken desk={desk} />
      <Picture playback={desk.playback} />
    </div>
  )
}

/**
 * The blocks' element. It gets the feed role only once there are blocks, as an empty feed is an accessibility error.
 */
function Sheet({ desk, ref }: { desk: Desk; ref: React.Ref<HTMLDivElement> }) {
  const { table } = useSignal(desk.text.state)
  const feed = table.count > 0 ? { role: 'feed', 'aria-label': 'Turns' } : {}
  return <div ref={ref} className="sheet" {...feed} />
}

function BackToSpoken({ desk }: { desk: Desk }) {
  const following = useSignal(desk.following)
  const { playing } = useSignal(desk.playback.state)
  if (following || !playing) return null
  return (
    <Button
      className="absolute bottom-4 left-1/2 -translate-x-1/2 rounded-full shadow-high"
      onClick={() => desk.followAgain()}
    >
      <ArrowDown aria-hidden /> Back to the current word
    </Button>
  )
}
