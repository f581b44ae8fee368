import { Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { inputClass } from './field.tsx'
import { saveFile } from './save-file.ts'

type Props = {
  /** null: the dialog is closed */
  value: string | null
  title: string
  words: string
  fileName: string
  onClose: () => void
}

/** Shows a secret that is visible only now, to copy it or download it as a file. */
export function OnceShown({ value, title, words, fileName, onClose }: Props) {
  return (
    <Dialog
      open={value !== null}
      onClose={onClose}
      title={title}
      description={words}
      width="md"
      actions={
        <Button variant="primary" onClick={onClose}>
          I have saved it
        </Button>
      }
    >
      {value !== null && <Secret value={value} label={title} fileName={fileName} />}
    </Dialog>
  )
}

function Secret({ value, label, fileName }: { value: string; label: string; fileName: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <div className="grid gap-2">
      {/* Breaks: all of it is seen on a phone, too. */}
      <textarea
        readOnly
        rows={2}
        aria-label={label}
        value={value}
        onFocus={(event) => event.target.select()}
        className={`${inputClass} field-sizing-content h-auto resize-none py-2 font-mono text-xs break-all`}
      />
      <div className="flex gap-2">
        <Button onClick={() => void navigator.clipboard.writeText(value).then(() => setCopied(true))}>
          <Copy aria-hidden /> {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button onClick={() => saveFile(new Blob([`${value}\n`], { type: 'text/plain' }), fileName)}>
          <Download aria-hidden /> Download
        </Button>
      </div>
    </div>
  )
}
