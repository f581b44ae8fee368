import { environmentOfKey } from '../../contract/interface/environment.ts'
import { type SessionMessage, sessionChannel } from '../signed-in/session/session-channel.ts'

/*
 * The reader's sandbox key: typed in, of the dashboard in another tab, or of the demo account that "Try it" opened. It is
 * in this module's memory alone.
 */
let key: string | null = null
let file: string | null = null

export const readerKey = () => key
export const readerFile = () => file

/** Replaces a placeholder in all examples of the page; null brings it back. */
function fill(kind: 'key' | 'file' | 'origin', value: string | null): void {
  for (const place of document.querySelectorAll<HTMLElement>(`[data-fill="${kind}"]`)) {
    place.dataset.placeholder ??= place.textContent ?? ''
    place.textContent = value ?? place.dataset.placeholder
  }
}

/** Puts the id of a file of the reader into all examples. */
export function setFile(id: string | null): void {
  file = id
  fill('file', id)
}

function say(words: string, isBad = false): void {
  const state = document.getElementById('key-state')
  if (state === null) return
  state.textContent = words
  state.toggleAttribute('data-bad', isBad)
}

/** Puts a key into all examples. @param whose completes "The examples have …" */
export function setKey(next: string | null, whose: string): void {
  if (next !== key) setFile(null)
  key = next
  fill('key', next)
  const button = document.querySelector('#key-form button')
  if (button !== null) button.textContent = next === null ? 'Use' : 'Forget'
  say(next === null ? '' : `The examples have ${whose}, which ends in ${next.slice(-4)}. It stays in this page.`)
}

/** Why a text cannot be the key of the examples; null if it can. */
function problemOf(text: string): string | null {
  if (text === '') return 'Enter a sandbox key. It begins with parley_test_.'
  const environment = environmentOfKey(text)
  if (environment === 'live') return 'This is a live key, which pays real money. Examples take a sandbox key alone.'
  return environment === 'sandbox' ? null : 'This is no sandbox key: those begin with parley_test_.'
}

/** Takes the key of a dashboard that is open in another tab, if it is signed in to the sandbox. */
function askDashboard(): void {
  const channel = new BroadcastChannel(sessionChannel)
  channel.onmessage = ({ data }: MessageEvent<SessionMessage>) => {
    if ('has' in data && data.has.environment === 'sandbox' && key === null && problemOf(data.has.key) === null) {
      setKey(data.has.key, 'the sandbox key of your open dashboard')
    }
    if ('ended' in data && data.ended.key === key) setKey(null, '')
  }
  channel.postMessage({ asks: 'sandbox' } satisfies SessionMessage)
}

/** Makes the page's examples the reader's own: this service's address, and their key. */
export function startReaderKey(): void {
  fill('origin', location.origin)
  const form = document.querySelector<HTMLFormElement>('#key-form')
  const field = document.querySelector<HTMLInputElement>('#key-field')
  if (form === null || field === null) return
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    // Keys are copied from mails and terminals, which break and indent lines.
    const typed = field.value.replaceAll(/\s/g, '')
    field.value = ''
    if (key !== null && typed === '') return setKey(null, '')
    const problem = problemOf(typed)
    if (problem === null) setKey(typed, 'your key')
    else say(problem, true)
  })
  askDashboard()
}
