/** What a curl command of an example sends, for "Try it". A form's `file` is the sample recording. */
export type Sent = {
  method: string
  /** path and query */
  path: string
  headers: Record<string, string>
  body: string | null
  form: Record<string, string> | null
}

/** Splits a command into words as a shell does: quotes, and lines that end in `\`. */
function words(command: string): string[] {
  const found = command.replaceAll(/\\\n\s*/g, ' ').matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g)
  return [...found].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'))
}

/**
 * Reads a curl command.
 * @param origin the address that stands in examples
 * @throws Error if it has an option that is not known here
 */
export function parseCurl(command: string, origin: string): Sent {
  const [program, ...rest] = words(command)
  const sent: Sent = { method: '', path: '', headers: {}, body: null, form: null }
  const readers: Record<string, (value: string) => void> = {
    '-X': (value) => (sent.method = value),
    '-u': () => undefined,
    '-o': () => undefined,
    '-H': (value) => {
      const [name = '', text = ''] = value.split(/:\s*/, 2)
      sent.headers[name] = text
    },
    '-F': (value) => {
      const [name = '', text = ''] = value.split(/=(.*)/s, 2)
      sent.form = { ...sent.form, [name]: text }
    },
    '--json': (value) => {
      sent.body = value
      sent.headers['Content-Type'] = 'application/json'
    },
  }
  if (program !== 'curl') throw new Error(`"${command}" is no curl command.`)
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '-I') sent.method = 'HEAD'
    else if (word.startsWith(origin)) sent.path = word.slice(origin.length)
    else if (readers[word] === undefined) throw new Error(`"${word}" in "${command}" cannot be tried.`)
    else readers[word]?.(rest.shift() ?? '')
  }
  sent.method ||= sent.form === null && sent.body === null ? 'GET' : 'POST'
  return sent
}
