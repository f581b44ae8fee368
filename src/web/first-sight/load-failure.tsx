import { buttonClass } from '../ui/button.tsx'
import { drawOnce } from './draw-once.ts'

/** Shows that the page's code could not be loaded; what is on the page already stays. */
export function drawLoadFailure(): void {
  document.body.append(drawOnce(<LoadFailure />))
}

function LoadFailure() {
  return (
    <div
      role="alert"
      className="fixed inset-x-4 bottom-4 z-50 mx-auto flex max-w-xl flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-[10px] border border-l-4 border-line border-l-bad bg-surface p-3 shadow-high"
    >
      <p>
        <strong className="font-semibold">The rest of Parley could not be loaded.</strong>
        <span className="block text-ink-2">The connection may be gone. Nothing was changed by it.</span>
      </p>
      {/* A link, since the code that would handle a button's click is what is missing. */}
      <a href={window.location.href} className={buttonClass('primary')}>
        Load again
      </a>
    </div>
  )
}
