import { Copy } from 'lucide-react'
import { announce } from './announcer.tsx'
import { IconButton } from './icon-button.tsx'

/**
 * An id on one line: longer ones are truncated in the middle, as their ends differ; copying yields all of it. Uses the
 * system's monospace font, to avoid loading one.
 */
export function IdText({ id, what }: { id: string; what: string }) {
  return (
    <span
      className="inline-flex items-center gap-0.5 font-[ui-monospace,monospace] text-xs whitespace-nowrap"
      title={id}
    >
      {id.length > 15 ? `${id.slice(0, 8)}…${id.slice(-5)}` : id}
      <IconButton
        label={`Copy ${what}`}
        className="-my-1 -mr-1 size-6 [&_svg]:size-3.5"
        onClick={() => void navigator.clipboard.writeText(id).then(() => announce('Copied'))}
      >
        <Copy aria-hidden />
      </IconButton>
    </span>
  )
}
