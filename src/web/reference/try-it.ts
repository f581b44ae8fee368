import { readerFile, readerKey, setFile, setKey } from './reader-key.ts'

/** As `src/reference/parse-curl.ts` reads it from the example. */
type Sent = {
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
  form: Record<string, string> | null
}

const maxShown = 16_000
const shownHeaders = ['x-service-metadata', 'request-id', 'content-type', 'ignored-options', 'retry-after']
const filePlaceholder = 'f_YOUR_FILE'
const openDemo = '/sandbox/account/demo'

const authorization = () => `Basic ${btoa(`${readerKey()}:`)}`

/** The newest file of the account. @throws Error in words if there is none */
async function findFile(): Promise<string> {
  const answer = await fetch('/sandbox/v1/files', { headers: { authorization: authorization() } })
  const files = answer.ok ? ((await answer.json()) as { id: string }[]) : []
  const [newest] = files
  if (newest === undefined) throw new Error('This account has no file yet. Order one first: “Send a recording”.')
  setFile(newest.id)
  return newest.id
}

async function bodyOf({ form, body }: Sent): Promise<FormData | string | null> {
  if (form === null) return body
  const filled = new FormData()
  for (const [name, value] of Object.entries(form)) {
    if (!value.startsWith('@')) filled.append(name, value)
    else filled.append(name, await (await fetch('/docs/sample.mp3')).blob(), 'sample.mp3')
  }
  return filled
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Later examples go on with what this one made: a key, a file. */
function adopt(path: string, status: number, text: string): void {
  if (status !== 201) return
  const made = JSON.parse(text) as { id?: string; key?: string }
  if (path === openDemo && made.key !== undefined) setKey(made.key, 'the key of your new demo account')
  else if (/\/(v1|tools)\/files/.test(path) && made.id !== undefined) setFile(made.id)
}

/** Sends an example's request to the sandbox. @returns the answer as text. @throws Error in words */
async function send(sent: Sent): Promise<string> {
  const needsKey = sent.path !== openDemo
  if (needsKey && readerKey() === null) throw new Error('Enter a sandbox key above, or open a demo account first.')
  if (!sent.path.startsWith('/sandbox/')) throw new Error('Only requests to the sandbox can be tried here.')
  const file = sent.path.includes(filePlaceholder) ? (readerFile() ?? (await findFile())) : ''
  // A name of its own for each try: a repeated one would answer with the first order.
  const headers = {
    ...sent.headers,
    ...(sent.headers['Idempotency-Key'] && { 'Idempotency-Key': crypto.randomUUID() }),
  }
  const answer = await fetch(sent.path.replace(filePlaceholder, file), {
    method: sent.method,
    headers: { ...headers, ...(needsKey && { authorization: authorization() }) },
    body: await bodyOf(sent),
    credentials: 'omit',
  })
  const text = await answer.text()
  adopt(sent.path, answer.status, text)
  if (sent.method === 'DELETE' && answer.ok) setFile(null)
  const lines = shownHeaders.flatMap((name) => {
    const value = answer.headers.get(name)
    return value === null ? [] : [`${name}: ${value}`]
  })
  const body = readable(text)
  const shown = body.length > maxShown ? `${body.slice(0, maxShown)}\n… (${body.length} characters)` : body
  return [`HTTP ${answer.status}`, ...lines, '', shown].join('\n').trimEnd()
}

/** A button that sends an example's request, and shows the real answer below it. */
export function tryButton(example: HTMLElement): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'try'
  button.textContent = 'Try it'
  const answer = document.createElement('div')
  answer.className = 'answer'
  answer.hidden = true
  answer.setAttribute('role', 'status')
  const shown = document.createElement('pre')
  shown.tabIndex = 0
  answer.append(shown)
  example.append(answer)
  button.addEventListener('click', async () => {
    button.disabled = true
    answer.hidden = false
    shown.textContent = '…'
    try {
      shown.textContent = await send(JSON.parse(example.dataset.try ?? '{}'))
    } catch (error) {
      shown.textContent = error instanceof TypeError ? 'The service cannot be reached.' : (error as Error).message
    }
    button.disabled = false
  })
  return button
}
