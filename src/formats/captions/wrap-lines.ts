/** Words set greedily into lines of at most `width`; the first line is `indent` characters shorter. */
function setLines(words: readonly string[], width: number, indent: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    const room = width - (lines.length === 0 ? indent : 0)
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, line]
}

/** How many lines of at most `width` the words need. */
export function lineCount(words: readonly string[], width: number, indent: number): number {
  return setLines(words, width, indent).length
}

/** Words in as few lines as possible, of lengths as even as possible. */
export function balancedLines(words: readonly string[], width: number, indent: number): string[] {
  const widest = setLines(words, width, indent)
  if (widest.length < 2) return widest
  const characters = words.reduce((sum, word) => sum + word.length + 1, indent)
  for (let narrow = Math.ceil(characters / widest.length); narrow < width; narrow++) {
    const lines = setLines(words, narrow, indent)
    const isFitting = lines.every((line, index) => line.length + (index === 0 ? indent : 0) <= narrow)
    if (isFitting && lines.length === widest.length) return lines
  }
  return widest
}
