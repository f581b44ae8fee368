import { ArrowUpFromLine } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'

type Props = { accept: string; label: string; onFile: (file: File) => void; children: ReactNode }

/** A button that lets a file be chosen. @param label of the field, for programs */
export function FileButton({ accept, label, onFile, children }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button onClick={() => input.current?.click()}>
        <ArrowUpFromLine aria-hidden /> {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        aria-label={label}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file) onFile(file)
          // Lets the same file be chosen again.
          target.value = ''
        }}
      />
    </>
  )
}
