import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import type { ServedFormat } from '../../../contract/interface/transcript-formats.ts'
import { defaultCaptionRules } from '../../../formats/captions/caption-rules.ts'
import { encodeChunks } from '../../../formats/chunks.ts'
import { renderFormat } from '../../../formats/render-format.ts'
import { renderWorkInProgress } from '../../../formats/txt.ts'
import type { StoredWord } from '../../../text/build-transcript.ts'
import { buildTranscript } from '../../../text/build-transcript.ts'
import { correctedTranscript } from '../../../text/corrected-transcript.ts'
import { TextFingerprint } from '../../../text/text-fingerprint.ts'
import type { Transcript } from '../../../text/transcript.ts'
import { type HeardForm, putRight } from '../../../text/vocabulary.ts'
import { pdfKit } from './pdf-kit.ts'
import { readStoredWords, type readWordsAndTurns, readWordsStream } from './stored-words.ts'

/**
 * Increment when the output of any format changes, so that no stored rendering of older code is served:
 * rendering-version.test.ts fails until then.
 */
export const renderingVersion = 4

/** Which text corrections apply to, and its number of words. */
export type TextIdentity = { fingerprint: string; words: number }

/** Of the words as the JSON format has them. */
export function identifyText({ turns }: Transcript): TextIdentity {
  const fingerprint = new TextFingerprint()
  let count = 0
  for (const [index, { words }] of turns.entries()) {
    const texts = words.map(({ word }) => word.toWellFormed())
    const isLast = index === turns.length - 1
    fingerprint.add(
      `${texts.join(' ')}${isLast ? ' ' : '\n'}`,
      words.map(({ start }) => start),
    )
    count += words.length
  }
  return { fingerprint: fingerprint.toString(), words: count }
}

/** A rendering job, as plain data that can be sent to another thread. */
export type Rendering = {
  about: Omit<Transcript, 'turns' | 'speakers'>
  /** a finished file's `words.json`, or its path; else the `words_json` of its pieces so far, up to a time */
  words: { path: string } | { json: Uint8Array } | { pieces: string[]; untilSeconds: number }
  /** of this very text, to be applied */
  corrections?: CorrectionSet
  /** replacements to make */
  forms?: readonly HeardForm[]
  /**
   * `fingerprint`: JSON that identifies the text, of `TextIdentity`; `vocabulary`: the same plus its replacements;
   * `caption-report`: how well its captions follow `rules`; `ass`: captions to be drawn
   */
  format: ServedFormat | 'work-in-progress' | 'fingerprint' | 'vocabulary' | 'caption-report' | 'ass'
  /** of captions; Parley's by default */
  rules?: CaptionRules
}

/** A text, and the vocabulary's replacements in it. */
export type TextPutRight = TextIdentity & ReturnType<typeof putRight>

async function loadWords(words: Rendering['words'], readLines?: typeof readWordsAndTurns): Promise<StoredWord[]> {
  if (!('pieces' in words)) {
    try {
      if ('json' in words) return await readWordsStream([words.json], readLines)
      // If only words are needed, all are read at once: little is in memory whenever the thread waits, and nothing
      // waits for it.
      const content = readLines
        ? [await readFile(words.path)]
        : createReadStream(words.path, { highWaterMark: 262_144 })
      return await readWordsStream(content, readLines)
    } catch (cause) {
      // A native one: errors from another thread keep only name and message.
      throw new SyntaxError('The stored words are lost or damaged.', { cause })
    }
  }
  return words.pieces.flatMap(readStoredWords).filter(({ start }) => start < words.untilSeconds)
}

/**
 * The service's own text. @param readLines reads only the needed fields of each word @throws SyntaxError if the words
 * of a finished file are lost or damaged
 */
export async function ownText(
  { about, words }: Pick<Rendering, 'about' | 'words'>,
  readLines?: typeof readWordsAndTurns,
): Promise<Transcript> {
  return buildTranscript(about, await loadWords(words, readLines))
}

/**
 * Renders in chunks of bytes, each only when it is read.
 * @throws SyntaxError if the words of a finished file are lost or damaged
 */
export async function* render({
  about,
  words,
  corrections,
  forms = [],
  rules = defaultCaptionRules,
  format,
}: Rendering): AsyncGenerator<Uint8Array> {
  const own = await ownText({ about, words })
  const transcript = corrections === undefined ? own : correctedTranscript(own, corrections)
  if (format === 'work-in-progress') yield* encodeChunks(renderWorkInProgress(transcript))
  else if (format === 'fingerprint') yield* encodeChunks([JSON.stringify(identifyText(transcript))])
  else if (format === 'vocabulary')
    yield* encodeChunks([JSON.stringify({ ...identifyText(transcript), ...putRight(transcript, forms) })])
  else if (format === 'caption-report') {
    // Lazily loaded, as all renderers are.
    const { captionReport } = await import('../../../formats/captions/caption-report.ts')
    yield* encodeChunks([JSON.stringify(captionReport(transcript, rules))])
  } else if (format === 'ass') {
    const { renderAss } = await import('../../../formats/captions/caption-files.ts')
    yield* encodeChunks(renderAss(transcript, rules))
  } else yield* await renderFormat(transcript, format, { pdfKit, captions: rules })
}
