import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Signal, useSignal } from '../state/signal.ts'
import { iconButtonClass } from './icon-button.tsx'

type Message = {
  title: string
  detail?: string
  tone?: 'plain' | 'ok' | 'bad'
  action?: { label: string; onPress: () => void }
  /** milliseconds; 0: until closed, the default for errors; longer by default with an action */
  stayMs?: number
}
type Shown = Message & { id: number }

/** At most this many are visible; older ones wait below the newer. */
const shownCount = 3

const messages = new Signal<readonly Shown[]>([])
let lastId = 0

/** Shows a message in the corner, announced to screen readers; errors assertively. Returns a function that closes it. */
export function showToast(message: Message): () => void {
  lastId += 1
  const id = lastId
  messages.set([...messages.get(), { ...message, id }])
  return () => close(id)
}

function close(id: number): void {
  messages.set(messages.get().filter((message) => message.id !== id))
}

/**
 * Live region of the toasts; mounted once, from first paint, since screen readers announce only additions to it. On the
 * left: the buttons that pay, download and undo are on the right.
 * @param place classes for its left edge, and on phones its bottom edge
 */
export function ToastRegion({ place }: { place: string }) {
  return (
    <section
      aria-label="Messages"
      aria-live="polite"
      className={`fixed bottom-20 z-50 grid w-[min(24rem,calc(100vw-2rem))] grid-cols-[minmax(0,1fr)] gap-2 phone:left-4 ${place}`}
    >
      {useSignal(messages)
        .slice(-shownCount)
        .map((message) => (
          <Toast key={message.id} {...message} />
        ))}
    </section>
  )
}

const edges = { plain: 'border-l-accent', ok: 'border-l-ok', bad: 'border-l-bad' }

/** What can be undone stays long enough for people who read or press slowly. */
function usualStayMs(tone: Message['tone'], action: Message['action']): number {
  if (tone === 'bad') return 0
  return action === undefined ? 6_000 : 20_000
}

function Toast({ id, title, detail, action, tone = 'plain', stayMs = usualStayMs(tone, action) }: Shown) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (stayMs === 0) return
    // Does not expire while hovered or focused.
    const timer = setInterval(() => box.current?.matches(':hover, :focus-within') || close(id), stayMs)
    return () => clearInterval(timer)
  }, [id, stayMs])
  return (
    <div
      ref={box}
      role={tone === 'bad' ? 'alert' : undefined}
      className={`flex animate-rise items-start gap-3 rounded-[10px] border border-l-4 border-line bg-surface p-3 shadow-high ${edges[tone]}`}
    >
      <div className="grid min-w-0 flex-1 gap-0.5">
        <h2 className="font-semibold whitespace-pre-wrap">{title}</h2>
        {detail && <p className="text-sm wrap-anywhere whitespace-pre-wrap text-ink-2">{detail}</p>}
      </div>
      {action && (
        <button
          type="button"
          onClick={action.onPress}
          className="shrink-0 rounded-md px-1.5 py-0.5 font-semibold text-accent hover:bg-accent-soft"
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        onClick={() => close(id)}
        className={`${iconButtonClass} -mt-1 -mr-1 size-7`}
      >
        <X aria-hidden />
      </button>
    </div>
  )
}
