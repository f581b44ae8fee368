import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/*
 * Checks the papers against the code and each other, as comments cite the interface, decisions and rules by number.
 * Issues are not in the repository, so they cannot be cited.
 */

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Files below a folder of the repository whose names match `ending`, as paths from its root. */
function filesBelow(folder: string, ending: RegExp): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(join(root, path)).isFile())
}

const sources = [
  ...['src', 'e2e'].flatMap((folder) => filesBelow(folder, /\.(?:ts|tsx|mjs|css|html|json)$/)),
  'vite.config.ts',
  '.biome.jsonc',
]
/** Every word of the sources. */
const words = new Set(sources.flatMap((path) => read(path).match(/\w+/g) ?? []))
const papers = ['README.md', ...filesBelow('docs', /\.md$/)]
const pagesOfDecisions = filesBelow('docs/decisions', /(?<!README)\.md$/)

/** A decision is a numbered heading on the page of its subject: `## 16. Rate limits`. */
const decisions = pagesOfDecisions.flatMap((page) =>
  [...read(page).matchAll(/^## ((\d+)\. .+)$/gm)].map(([, heading = '', number]) => ({
    number: Number(number),
    target: `${relative('docs/decisions', page)}#${anchorOf(heading)}`,
  })),
)

/** Numbers of the rules in each section of the interface: `{'2.3': [1, 2, 3 …]}`. */
function readRules(): ReadonlyMap<string, number[]> {
  const sections = read('docs/interface.md')
    .split(/^#{2,3} (?=\d)/m)
    .slice(1)
  return new Map(
    sections.map((section) => [
      /^[\d.]*\d/.exec(section)?.[0] ?? '',
      [...section.matchAll(/^ *(\d+)\. /gm)].map(([, number]) => Number(number)),
    ]),
  )
}

/** The text without the line breaks and asterisks that wrap a comment, so that a citation may run over two lines. */
const unwrapped = (text: string): string => text.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ')

type Citation = { kind: 'decision' | 'spec' | 'house rule' | 'issue'; number: string; rules: number[] }

/** `decision 16`, `decisions 14 and 17`, `spec 4.1, 4.6`, `spec 2.3, rules 1 and 2`, `house rule 9`, `issue 7`. */
function readCitations(text: string): Citation[] {
  const pattern =
    /\b(decision|spec|house rule|issue)s? (?:section )?(\d[\d.]*(?:(?:, | and )\d[\d.]*)*)(?:, rules? (\d+(?:(?:, | and )\d+)*))?/gi
  return [...unwrapped(text).matchAll(pattern)].flatMap(([, kind = '', numbers = '', rules = '']) =>
    numbers.split(/, | and /).map((number) => ({
      kind: kind.toLowerCase() as Citation['kind'],
      number: number.replace(/\.$/, ''),
      rules: rules === '' ? [] : rules.split(/, | and /).map(Number),
    })),
  )
}

/** Why a citation leads nowhere; null if it resolves. */
function problemOf({ kind, number, rules }: Citation, ofInterface: ReadonlyMap<string, number[]>): string | null {
  if (kind === 'issue') return 'issues are not in the repository: say it in words'
  if (kind === 'decision') {
    return decisions.some((one) => one.number === Number(number)) ? null : 'no such decision'
  }
  if (kind === 'house rule') {
    const contributing = read('docs/CONTRIBUTING.md').split('## House rules')[1] ?? ''
    return new RegExp(`^${number}\\. `, 'm').test(contributing) ? null : 'no such rule in docs/CONTRIBUTING.md'
  }
  const known = ofInterface.get(number)
  if (known === undefined) return 'no such section in docs/interface.md'
  return rules.every((rule) => known.includes(rule)) ? null : 'no such rule in that section of docs/interface.md'
}

/** The anchor of a heading on the usual repository hosts. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function anchorsIn(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

describe('citations in code', () => {
  it('are read in every form', () => {
    expect(readCitations('Decisions 14 and 17; spec 2.3,\n * rules 1 and 2. House rule 9 (spec 4.1, 4.6)')).toEqual([
      { kind: 'decision', number: '14', rules: [] },
      { kind: 'decision', number: '17', rules: [] },
      { kind: 'spec', number: '2.3', rules: [1, 2] },
      { kind: 'house rule', number: '9', rules: [] },
      { kind: 'spec', number: '4.1', rules: [] },
      { kind: 'spec', number: '4.6', rules: [] },
    ])
  })

  it('lead to a decision, a section of the interface, a rule', () => {
    const ofInterface = readRules()
    const lost = sources
      .filter((path) => join(root, path) !== import.meta.filename)
      .flatMap((path) =>
        readCitations(read(path)).flatMap((citation) => {
          const problem = problemOf(citation, ofInterface)
          return problem === null ? [] : [`${path}: ${citation.kind} ${citation.number}: ${problem}`]
        }),
      )
    expect(lost).toEqual([])
  })

  it('of a paper lead to that paper', () => {
    const named = sources.flatMap((path) =>
      [...read(path).matchAll(/\bdocs\/[\w./-]+\.md\b/g)].map(([paper]) => ({ path, paper })),
    )
    expect(named.filter(({ paper }) => !existsSync(join(root, paper)))).toEqual([])
  })
})

describe('papers', () => {
  it.each(papers)('%s: links, pictures and paths lead somewhere', (paper) => {
    const text = read(paper)
    const folder = dirname(join(root, paper))
    const lost = [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
      if (/^https?:/.test(target)) return []
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? join(root, paper) : resolve(folder, path)
      if (!existsSync(file)) return [target]
      return anchor === undefined || anchorsIn(file).includes(anchor) ? [] : [target]
    })
    const paths = [...text.matchAll(/(?<=`|^|\s)(?:src|e2e|docs)\/[\w./-]*\w/gm)].map(([path]) => path)
    expect([...lost, ...paths.filter((path) => !existsSync(join(root, path)))]).toEqual([])
  })

  it.each(papers.filter((paper) => !paper.includes('/decisions/')))(
    '%s: names of the code are in the code',
    (paper) => {
      const names = [...read(paper).matchAll(/`([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)(?:\(\))?`/g)].map(
        ([, name = '']) => name,
      )
      expect(names.filter((name) => !words.has(name))).toEqual([])
    },
  )

  it('and comments avoid words that say nothing to an engineer who searches', () => {
    const unwanted = new Map([
      [/\banew\b/i, 'again'],
      [/\bgo(?:es)? on by itself\b/i, 'continues automatically'],
      [/\bmade people\b/i, 'simulated staff'],
      [/\bsince ever\b/i, 'epoch 0'],
      [/\b(?:broken|breaks) off\b/i, 'aborted'],
      [/\brules? for keeping\b/i, 'retention rule'],
      [/\b(?:to|for|of|from) who (?!did)/i, 'a noun: clients, typists'],
      [/\bthe next wish\b/i, 'a later call'],
    ])
    const comments = sources.flatMap((path) =>
      [...read(path).matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g)].map(([text]) => ({ path, text })),
    )
    const prose = papers.filter((paper) => !/glossary|figures/.test(paper)).map((path) => ({ path, text: read(path) }))
    const found = [...comments, ...prose].flatMap(({ path, text }) =>
      [...unwanted].flatMap(([word, better]) => {
        const [hit] = word.exec(text.replaceAll(/@param anew/g, '')) ?? []
        return hit === undefined ? [] : [`${path}: “${hit}”: ${better}`]
      }),
    )
    expect(found).toEqual([])
  })

  it('name tests that are there', () => {
    const names = [...read('docs/proofs.md').matchAll(/`([\w-]+\.(?:test|spec)\.tsx?)`/g)].map(([, name = '']) => name)
    const there = readdirSync(join(root, 'src/service/conformance'))
    expect(names.filter((name) => !there.includes(name))).toEqual([])
  })

  it('name the files of recipes, whose edits find their places (npm run recipes -- --check)', () => {
    const { stderr } = spawnSync('node', ['e2e/proofs/recipes/main.ts', '--check'], { cwd: root, encoding: 'utf8' })
    expect(stderr).toBe('')
  })

  it('are all reached from README.md', () => {
    const reached = new Set<string>()
    const visit = (paper: string) => {
      if (reached.has(paper)) return
      reached.add(paper)
      for (const [, target = ''] of read(paper).matchAll(/\]\(([^)\s#]+\.md)[^)]*\)/g)) {
        visit(relative(root, resolve(dirname(join(root, paper)), target)))
      }
    }
    visit('README.md')
    expect(papers.filter((paper) => !reached.has(paper))).toEqual([])
  })

  it.each(papers.filter((paper) => !paper.includes('/decisions/')))(
    '%s: decisions that it cites are there',
    (paper) => {
      const cited = readCitations(read(paper)).filter(({ kind }) => kind === 'decision')
      expect(cited.filter((citation) => problemOf(citation, new Map()) !== null)).toEqual([])
    },
  )

  it('give each decision a number of its own, and a row of the index', () => {
    const numbers = decisions.map(({ number }) => number)
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
    const rows = [...read('docs/decisions/README.md').matchAll(/^\| (\d+) \| \[[\w-]+\]\(([^)]+)\) \|$/gm)]
    const index = rows.map(([, number, target]) => ({ number: Number(number), target }))
    expect(index).toEqual(decisions.toSorted((one, other) => one.number - other.number))
  })

  it.each(pagesOfDecisions)('%s: each decision has its date and state, and decisions stand by number', (page) => {
    const [introduction = '', ...entries] = read(page).split(/^## /m)
    expect(introduction).toMatch(/^# .+\n\n\S/)
    expect(entries.filter((entry) => !/^\d+\. .+\n\n20\d\d-\d\d-\d\d · /.test(entry))).toEqual([])
    const numbers = entries.map((entry) => Number.parseInt(entry, 10))
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  })

  it('begin with a README of at most 4,000 bytes and one picture', () => {
    expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(4_000)
    expect(read('README.md').match(/!\[/g)?.length).toBe(1)
  })
})
