import { Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { inputClass } from './field.tsx'

type Props = {
  /** null: nothing to show */
  value: string | null
  title: string
  words: string
  fileName: string
  onClose: () => void
}

/** A secret at the only time that it can be seen: to copy or to keep as a file. */
export function OnceShown({ value, title, words, fileName, onClose }: Props) {
  const [copied, setCopied] = useState(false)
  return (
    <Dialog
      open={value !== null}
      onClose={onClose}
      title={title}
      description={words}
      width="md"
      actions={
        <Button variant="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      {value !== null && (
        <div className="flex gap-2 phone:grid">
          <input
            readOnly
            aria-label={title}
            value={value}
            onFocus={(event) => event.target.select()}
            className={`${inputClass} flex-1 font-mono text-sm`}
          />
          <Button onClick={() => void navigator.clipboard.writeText(value).then(() => setCopied(true))}>
            <Copy aria-hidden /> {copied ? 'Copied' : 'Copy'}
          </Button>
          <a
            href={URL.createObjectURL(new Blob([`${value}\n`], { type: 'text/plain' }))}
            download={fileName}
            className="inline-flex h-[34px] items-center justify-center gap-2.5 rounded-md border border-line-strong bg-surface px-3.5 text-sm font-semibold hover:bg-sunken [&_svg]:size-4"
          >
            <Download aria-hidden /> Download
          </a>
        </div>
      )}
    </Dialog>
  )
}
