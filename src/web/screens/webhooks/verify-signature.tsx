import { useState } from 'react'
import { Button } from '../../base/ui/button.tsx'
import { Card } from '../../base/ui/card.tsx'
import { CodeText } from '../../base/ui/code-text.tsx'
import { Select } from '../../base/ui/select.tsx'
import { signatureExamples } from './signature-examples.ts'

type Language = (typeof signatureExamples)[number]['language']

const languages = signatureExamples.map(({ language }) => ({ value: language, label: language }))

/** How a program verifies the signature of an event, in five languages. */
export function VerifySignature() {
  const [language, setLanguage] = useState<Language>('Node.js')
  const [copied, setCopied] = useState<Language | null>(null)
  const code = signatureExamples.find((example) => example.language === language)?.code ?? ''
  return (
    <Card className="grid min-w-0 gap-3 p-4.5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-md font-semibold">Verify signatures</h2>
        <div className="flex gap-2">
          <Select label="Language" value={language} options={languages} onChange={setLanguage} />
          <Button onClick={() => void navigator.clipboard.writeText(code).then(() => setCopied(language))}>
            {copied === language ? 'Copied' : 'Copy'}
          </Button>
        </div>
      </div>
      <p className="text-ink-2">
        The body is only <code className="font-mono text-sm">{'{"id": "…"}'}</code>. Check the signature, respond with
        2xx within 15 seconds, then request the file’s metadata. Anything else is retried for three days.
      </p>
      <CodeText>{code}</CodeText>
    </Card>
  )
}
