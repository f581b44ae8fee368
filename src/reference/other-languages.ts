import { type languages, placeholders, readFence } from './example.ts'
import { parseCurl, type Sent } from './parse-curl.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type Words = { name: (name: string) => string; text: (text: string) => string; constant: (value: unknown) => string }

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
const typescript: Words = {
  name: (name) => (/^[a-z_]\w*$/i.test(name) ? name : quoted(name)),
  text: quoted,
  constant: String,
}
const python: Words = {
  name: (name) => JSON.stringify(name),
  text: (text) => JSON.stringify(text),
  constant: (value) => ({ true: 'True', false: 'False', null: 'None' })[String(value)] ?? String(value),
}

/** A value as a literal of a language. */
function literal(value: Json, words: Words): string {
  if (typeof value === 'string') return words.text(value)
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, words)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return words.constant(value)
  const fields = Object.entries(value).map(([name, field]) => `${words.name(name)}: ${literal(field, words)}`)
  return words === typescript ? `{ ${fields.join(', ')} }` : `{${fields.join(', ')}}`
}

/** The example's own template string. */
const basic = ['`Basic ', '{btoa(`', '{key}:`)}`'].join('$')

function inTypescript({ method, path, headers, body }: Sent, hasKey: boolean): string {
  const named = Object.entries(headers).map(([name, value]) => `${typescript.name(name)}: ${quoted(value)}`)
  const all = [...(hasKey ? [`Authorization: ${basic}`] : []), ...named]
  return [
    ...(hasKey ? [`const key = '${placeholders.key}'`] : []),
    `const answer = await fetch('${placeholders.origin}${path}', {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(all.length === 0 ? [] : [`  headers: { ${all.join(', ')} },`]),
    ...(body === null ? [] : [`  body: JSON.stringify(${literal(JSON.parse(body), typescript)}),`]),
    '})',
    'if (!answer.ok) throw new Error(await answer.text())',
    'console.log(await answer.text())',
  ].join('\n')
}

function inPython({ method, path, headers, body }: Sent, hasKey: boolean): string {
  const identity = '        "Authorization": "Basic " + base64.b64encode(f"{key}:".encode()).decode(),'
  const named = Object.entries(headers).map(([name, value]) => `        "${name}": ${JSON.stringify(value)},`)
  return [
    `import ${[...(hasKey ? ['base64'] : []), ...(body === null ? [] : ['json']), 'urllib.request'].join(', ')}`,
    '',
    ...(hasKey ? [`key = "${placeholders.key}"`] : []),
    'request = urllib.request.Request(',
    `    "${placeholders.origin}${path}",`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(body === null ? [] : [`    data=json.dumps(${literal(JSON.parse(body), python)}).encode(),`]),
    ...(hasKey || named.length > 0 ? ['    headers={', ...(hasKey ? [identity] : []), ...named, '    },'] : []),
    ')',
    'with urllib.request.urlopen(request) as answer:',
    '    print(answer.read().decode())',
  ].join('\n')
}

/** Markdown with TypeScript and Python beside each curl command that stands alone and sends JSON or nothing. */
export function withOtherLanguages(markdown: string): string {
  return markdown.replaceAll(
    /^```(sh [^\n]*)\n((?:(?!\n```).)*)\n```$(?!\n\n```(?:ts|python)\b)/gms,
    (whole: string, info: string, command: string) => {
      const { flags } = readFence(info, command)
      const sent = flags.includes('try') ? parseCurl(command, placeholders.origin) : null
      if (sent === null || sent.form !== null || sent.method === 'HEAD' || command.includes(' -o ')) return whole
      const hasKey = / -u /.test(command)
      const others = flags.filter((flag) => flag !== 'try').map((flag) => ` ${flag}`)
      const made = { ts: inTypescript(sent, hasKey), python: inPython(sent, hasKey) } satisfies Partial<
        Record<keyof typeof languages, string>
      >
      return [
        whole,
        ...Object.entries(made).map(([lang, text]) => `\`\`\`${lang}${others.join('')}\n${text}\n\`\`\``),
      ].join('\n\n')
    },
  )
}
