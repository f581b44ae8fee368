import { commandLine } from '../../platform/command-line.ts'

/** A form of a command in the usage: `account export ACCOUNT FILE [--no-recordings]`. */
type Form = { text: string; words: readonly string[]; operands: readonly string[] }

/** The forms that the usage lists, each before its explanation. */
function formsOf(usage: string): Form[] {
  const lines = usage.split('\n').flatMap((line) => /^ {2}(?! )(.+?)(?: {2,}|$)/.exec(line)?.[1] ?? [])
  return lines
    .flatMap((line) => line.split(' | '))
    .map((text) => {
      // What stands in brackets or after a flag is no operand.
      const plain = text
        .replaceAll(/\[(?:[^[\]]|\[[^\]]*\])*\]|--[\w-]+ \S+|…/g, '')
        .split(' ')
        .filter(Boolean)
      const isOperand = (word: string) => /^[A-Z]+$/.test(word)
      return { text, words: plain.filter((word) => !isOperand(word)), operands: plain.filter(isOperand) }
    })
}

/**
 * Says in one line what is wrong with words that are no command: the missing or surplus operand, or what there is instead.
 * @param usage lists all commands
 */
export function explainArguments(usage: string, given: readonly string[]): string {
  const forms = formsOf(usage)
  const fitting = forms
    .filter(({ words }) => words.length > 0 && words.every((word, index) => word === given[index]))
    .toSorted((one, two) => two.words.length - one.words.length || two.operands.length - one.operands.length)
  const [form] = fitting
  if (form === undefined) {
    const related = forms.filter(({ words }) => words[0] === given[0])
    const help = `${commandLine} --help lists all commands.`
    const names = related.map(({ words, operands }) => [...words, ...operands].join(' '))
    const instead = related.length > 0 ? `There is: ${names.join(', ')}.` : help
    return `There is no command ${JSON.stringify(given.slice(0, 2).join(' '))}. ${instead}`
  }
  const operands = given.slice(form.words.length)
  const missing = form.operands.slice(operands.length)
  const wrong =
    missing.length > 0
      ? `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing`
      : `${JSON.stringify(operands.at(-1) ?? '')} is one word too many`
  const same = fitting.filter(({ words }) => words.length === form.words.length).map(({ text }) => text)
  return `${wrong}: ${same.join(', or ')}`
}
