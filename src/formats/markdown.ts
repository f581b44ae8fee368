import type { Transcript } from '../text/transcript.ts'
import { damageNotice, hasHeader, missingLines, noSpeechNotice, splitParts } from '../text/transcript.ts'
import { labelledTurns } from './labelled-turns.ts'
import { headerLines } from './template-header.ts'
import { markedText } from './text-parts.ts'

/**
 * Escapes text for CommonMark and GitHub's dialect: markup characters anywhere, what begins a list, heading or rule at
 * the start, and what turns an address into a link.
 */
function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]<>|~&]/g, '\\$&')
    .replace(/^[#+\-=]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replaceAll(/:(?=\/\/)|(?<=www)\.|@/gi, '\\$&')
}

/** Markdown: transcripts separated by rules, at the end what is missing. */
export function* renderMarkdown(transcript: Transcript): Generator<string> {
  for (const [index, part] of splitParts(transcript).entries()) {
    if (index > 0) yield '---\n\n'
    yield* renderPart(part)
  }
  const [heading, ...missing] = missingLines(transcript).map(escapeMarkdown)
  if (heading !== undefined) yield `---\n\n${heading}\n\n${missing.map((line) => `- ${line}\n`).join('')}`
}

/** A heading in the service template, then one paragraph per turn with the speaker in bold. */
function* renderPart(transcript: Transcript): Generator<string> {
  if (hasHeader(transcript.options)) {
    const [title, details] = headerLines(transcript)
    yield `# ${escapeMarkdown(title)}\n\n${escapeMarkdown(details)}\n\n`
  }
  if (transcript.turns.length === 0) yield `${noSpeechNotice}\n\n`
  for (const { time, speaker, parts: said } of labelledTurns(transcript)) {
    const parts = [time, speaker === null ? null : `**${escapeMarkdown(speaker)}:**`, escapeMarkdown(markedText(said))]
    yield `${parts.filter((part) => part !== null && part !== '').join(' ')}\n\n`
  }
  const damage = damageNotice(transcript)
  if (damage !== null) yield `${escapeMarkdown(damage)}\n\n`
}
