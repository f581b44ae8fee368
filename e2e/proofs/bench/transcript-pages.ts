import type { BarePages } from './bare-pages.ts'

/** Shared by both pages: the text size and width of the dashboard's column. */
const style =
  'body{margin:0;font:18px/29px serif}main{height:100vh;overflow:auto}div.s{position:relative;max-width:576px;margin:auto}p{margin:0 0 24px}'

/** The slowest fair baseline: every word is an element, the spoken one has a class. */
function staticPage(words: readonly { word: string; turn?: unknown }[]): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const turns: string[] = []
  let turn = ''
  for (const { word, turn: ends } of words) {
    turn += `<span>${escaped(word)}</span> `
    if (ends === undefined) continue
    turns.push(`<p>${turn}</p>`)
    turn = ''
  }
  return `<!doctype html><meta charset=utf-8><style>${style}</style><main><div class=s>${turns.join('')}<p>${turn}</p></div></main>`
}

/** The minimal baseline: fetches and parses the JSON, and renders only visible words. */
const windowPage = `<!doctype html><meta charset=utf-8><style>${style}</style><main><div class=s></div></main><script type=module>
const words = await (await fetch('/words.json')).json()
const turns = []
let from = 0
words.forEach((word, index) => { if ('turn' in word) { turns.push([from, index + 1]); from = index + 1 } })
if (from < words.length) turns.push([from, words.length])
const rowHeight = 82
const main = document.querySelector('main'), sheet = document.querySelector('.s')
sheet.style.height = turns.length * rowHeight + 'px'
const show = () => {
  const first = Math.floor(main.scrollTop / rowHeight), last = first + Math.ceil(main.clientHeight / rowHeight) + 4
  sheet.replaceChildren(...turns.slice(first, last).map(([a, b], index) => {
    const p = document.createElement('p')
    p.style.cssText = 'position:absolute;top:' + (first + index) * rowHeight + 'px'
    p.textContent = words.slice(a, b).map((word) => word.word).join(' ')
    return p
  }))
}
main.addEventListener('scroll', () => requestAnimationFrame(show))
show()
</script>`

/** The two baseline pages of the dashboard's transcript, and their words. */
export function transcriptPages(json: string): BarePages {
  const all = staticPage(JSON.parse(json) as { word: string; turn?: unknown }[])
  return {
    '/static': ['text/html', all],
    '/window': ['text/html', windowPage],
    '/words.json': ['application/json', json],
  }
}
