import type { CaptionRules } from '../../../contract/account/captions.ts'
import { buildCues, type Cue, type CueWarning, cueWarnings } from '../../../formats/captions/cues.ts'
import type { About } from '../downloads/make-file.ts'
import { transcriptOfTable } from '../downloads/transcript-of-table.ts'
import { type TableColumns, WordTable } from '../model/word-table.ts'

export type CaptionRequest = { table: TableColumns; names: readonly string[]; about: About; rules: CaptionRules }
export type CaptionAnswer = { cues: Cue[]; warnings: CueWarning[] }

self.addEventListener('message', ({ data }: MessageEvent<CaptionRequest>) => {
  const { table, names, about, rules } = data
  const cues = [...buildCues(transcriptOfTable(WordTable.of(table), names, about), rules)]
  self.postMessage({ cues, warnings: [...cueWarnings(cues, rules, about.durationMs)] } satisfies CaptionAnswer)
})
