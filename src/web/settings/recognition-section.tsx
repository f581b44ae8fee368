import type { Recognition } from '../../contract/account-recognition.ts'
import { RecognitionWords } from '../options/recognition-words.tsx'
import { Section } from './section.tsx'

const names = {
  sherpa: 'Parakeet, on the machine of the service.',
  http: 'A recognizer server that the service asks.',
  pocketsphinx: 'pocketsphinx, on the machine of the service.',
}

/** The speech recognition of automated orders, which the operator of the service chooses. */
export function RecognitionSection({ recognition }: { recognition: Recognition }) {
  const { engine } = recognition
  return (
    <Section id="recognition" title="Speech recognition" words={engine === null ? null : names[engine]}>
      <RecognitionWords recognition={recognition} />
    </Section>
  )
}
