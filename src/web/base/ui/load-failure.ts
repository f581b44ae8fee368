import { buttonClass } from './button.tsx'

const id = 'load-failure'
const firstRetryMs = 1_000
const longestRetryMs = 30_000

const show = () => {
  if (!navigator.onLine || document.getElementById(id)) return
  const notice = document.createElement('div')
  notice.id = id
  notice.role = 'alert'
  notice.className =
    'fixed inset-x-4 top-4 z-50 mx-auto flex max-w-xl flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-[10px] border border-l-4 border-line border-l-bad bg-surface p-3 shadow-high'
  notice.innerHTML =
    '<p><strong class="font-semibold">A part of Parley could not be loaded.</strong>' +
    '<span class="block text-ink-2">Your connection may be down.</span></p>'
  // A link, since the code that would handle a button's click may be what is missing.
  const again = document.createElement('a')
  again.href = window.location.href
  again.className = buttonClass('primary')
  again.textContent = 'Reload'
  notice.append(again)
  document.body.append(notice)
}

let missing = 0

/**
 * Loads code of the page that failed to load, with backoff, until it is there. What lasts longer than a service needs
 * to start again is told in a notice, which goes as soon as nothing is missing; what is on the page stays meanwhile.
 * Needs no lazily loaded code. Offline the shell says so.
 * @param attempt loads it; called again and again
 * @param onNotice called before the notice is shown, each time it would be
 */
export async function retryLoading<Module>(attempt: () => Promise<Module>, onNotice = () => {}): Promise<Module> {
  missing += 1
  for (let waitMs = firstRetryMs; ; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
    await new Promise<unknown>((resolve) => {
      const signal = AbortSignal.timeout(waitMs)
      signal.addEventListener('abort', resolve)
      window.addEventListener('online', resolve, { once: true, signal })
    })
    try {
      const module = await attempt()
      missing -= 1
      if (missing === 0) document.getElementById(id)?.remove()
      return module
    } catch {
      onNotice()
      show()
    }
  }
}
