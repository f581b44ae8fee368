import './reference.css'
import { startExamples } from './example-tools.ts'
import { startReaderKey } from './reader-key.ts'
import { startSearch } from './search.ts'

/* The script of /docs, which is read without it, too: the reader's key in the examples, Try it, Copy, search. */

const { dataset } = document.documentElement

/** As in the dashboard, where it is chosen (`preferences.ts`). */
function applyTheme(): void {
  try {
    const { theme } = JSON.parse(localStorage.getItem('parley.preferences') ?? '{}')
    if (theme === 'light' || theme === 'dark') dataset.theme = theme
  } catch {
    // A broken entry is the dashboard's to mend.
  }
}

/** Leads on from anchors of the former page, and unfolds the request that an address names. */
function followAnchor(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target === null) return
  if (target.dataset.leads !== undefined) location.replace(target.dataset.leads)
  if (target instanceof HTMLDetailsElement) target.open = true
}

dataset.js = ''
applyTheme()
startExamples()
startReaderKey()
startSearch()
document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest' })
followAnchor()
window.addEventListener('hashchange', followAnchor)
