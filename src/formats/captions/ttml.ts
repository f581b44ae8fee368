import type { CaptionRules } from '../../contract/account/captions.ts'
import { captionTime } from '../../text/clock-time.ts'
import { escapeXml } from '../../text/plain-text.ts'
import type { Transcript } from '../../text/transcript.ts'
import { titleLine } from '../template-header.ts'
import { cuesOrNotice } from './caption-files.ts'
import { shownLines } from './cues.ts'

/** IMSC 1.1 text profile (W3C): two regions, white text on black, in the middle of the lower or the upper edge. */
function head(title: string): string {
  const region = (id: string, align: string) =>
    `<region xml:id="${id}" tts:origin="10% 10%" tts:extent="80% 80%" tts:displayAlign="${align}" tts:overflow="visible"/>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:timeBase="media" ttp:contentProfiles="http://www.w3.org/ns/ttml/profile/imsc1.1/text" ttp:cellResolution="32 15" xml:lang="en">
<head>
<metadata><ttm:title>${escapeXml(title)}</ttm:title></metadata>
<styling><style xml:id="text" tts:color="white" tts:fontFamily="proportionalSansSerif" tts:fontSize="80%" tts:lineHeight="125%" tts:textAlign="center"/></styling>
<layout>${region('bottom', 'after')}${region('top', 'before')}</layout>
</head>
<body style="text"><div>
`
}

/** TTML as IMSC 1.1 text, which broadcasters and streaming services take. */
export function* renderTtml(transcript: Transcript, rules?: CaptionRules): Generator<string> {
  yield head(titleLine(transcript))
  for (const cue of cuesOrNotice(transcript, rules)) {
    const [begin, end] = [cue.startMs, cue.endMs].map((ms) => captionTime(ms, '.', 2))
    const region = cue.edit?.top === true ? 'top' : 'bottom'
    const text = shownLines(cue).map(escapeXml).join('<br/>')
    yield `<p begin="${begin}" end="${end}" region="${region}">${text}</p>\n`
  }
  yield '</div></body>\n</tt>\n'
}
