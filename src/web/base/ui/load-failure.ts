import { buttonClass } from './button.tsx'

const id = 'load-failure'

/**
 * Shows that code of the page failed to load; what is on the page already stays. Needs no lazily loaded code. Offline
 * the shell says so, and once the connection is back the notice goes: the next use loads the code again.
 */
export function showLoadFailure(): void {
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
  window.addEventListener('online', () => notice.remove(), { once: true })
}
