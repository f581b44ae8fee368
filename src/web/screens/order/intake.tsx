import { Link2, Upload } from 'lucide-react'
import { useState } from 'react'
import { mediaExtensions } from '../../../contract/interface/media-formats.ts'
import { Button } from '../../base/ui/button.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { addLinksAndAnnounce } from '../../signed-in/uploads/tray/add-and-announce.ts'
import { chooserClass, FileChooser } from '../../signed-in/uploads/tray/file-chooser.tsx'
import { readLinks } from '../../signed-in/uploads/tray/links.ts'
import type { Owner } from '../../signed-in/uploads/tray/upload.ts'

type Props = {
  owner: Owner
  isDragging: boolean
  /** a line, as there are recordings already */
  isSmall: boolean
  offersLinks: boolean
  onRecord: () => void
}

/** All ways to add recordings: drop, choose files or a folder, record, paste a link. */
export function Intake({ owner, isDragging, isSmall, offersLinks, onRecord }: Props) {
  const ways = (
    <>
      <FileChooser owner={owner} label={isSmall ? 'Choose files' : 'choose files'} /> ·{' '}
      <FileChooser owner={owner} label="a folder" isFolder /> ·{' '}
      <button type="button" className={chooserClass} onClick={onRecord}>
        record now
      </button>
    </>
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div
        className={`rounded-lg border border-dashed transition-colors ${
          isSmall
            ? 'flex flex-wrap items-center gap-x-3 px-4 py-2'
            : 'grid justify-items-center gap-1 px-6 pt-8 pb-9 text-center phone:px-4 phone:py-6'
        } ${isDragging ? 'border-accent bg-accent-soft' : 'border-accent/45 bg-accent-faint'}`}
      >
        <Upload aria-hidden className={`text-accent ${isSmall ? 'size-4' : 'mb-2.5 size-6'}`} strokeWidth={1.8} />
        <p className={isSmall ? 'text-ink-2 phone:hidden' : 'text-md font-semibold'}>
          <span className="pointer-coarse:hidden">
            {isSmall ? 'Drop more here' : 'Drop recordings or folders here'}
          </span>
          {/* Nothing can be dropped by a finger. */}
          <span className="hidden pointer-coarse:inline">{isSmall ? 'Add more' : 'Add recordings'}</span>
        </p>
        <p className={isSmall ? 'ml-auto text-ink-2 phone:ml-0' : 'text-balance text-ink-2'}>
          {!isSmall && <>{mediaExtensions.length} audio and video formats, each under 10&nbsp;GB · </>}
          {ways}
        </p>
      </div>
      {offersLinks && <LinkField owner={owner} />}
    </div>
  )
}

/** A field for links. Several pasted ones are added at once; invalid ones stay in the field with an error. */
function LinkField({ owner }: { owner: Owner }) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)

  async function add(entered: string) {
    const { links, rest } = readLinks(entered)
    setText(rest.join(' '))
    const added = links.length > 0 ? await addLinksAndAnnounce(owner, links) : 0
    const taken = links.length > 0 ? `${formatCount(added, 'link')} added; the rest is not a link. ` : ''
    setProblem(
      rest.length === 0 && links.length > 0 ? null : `${taken}Enter an address that begins with http:// or https://`,
    )
  }

  function change(entered: string) {
    setText(entered)
    setProblem(null)
  }

  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-1"
      onSubmit={(event) => {
        event.preventDefault()
        void add(text)
      }}
    >
      <div className="flex min-h-8.5 items-center gap-2 rounded-md border border-edge bg-surface pr-1 pl-3 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent">
        <Link2 aria-hidden className="size-4 shrink-0 text-ink-3" />
        <LinkInput
          text={text}
          isInvalid={problem !== null}
          onChange={change}
          onPasteSeveral={(pasted) => void add(pasted)}
        />
        <Button type="submit" size="sm" className="h-[26px]">
          Add link
        </Button>
      </div>
      {problem && (
        <p id={problemId} role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
    </form>
  )
}

const problemId = 'link-problem'

type LinkInputProps = {
  text: string
  isInvalid: boolean
  onChange: (text: string) => void
  /** text with white space between words was pasted: all of it */
  onPasteSeveral: (text: string) => void
}

function LinkInput({ text, isInvalid, onChange, onPasteSeveral }: LinkInputProps) {
  return (
    <input
      type="text"
      inputMode="url"
      aria-label="Public link to a recording"
      aria-invalid={isInvalid}
      aria-describedby={isInvalid ? problemId : undefined}
      placeholder="Or paste a public link to a recording"
      autoComplete="off"
      value={text}
      onChange={(event) => onChange(event.target.value)}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text')
        if (!/\s/.test(pasted.trim())) return
        event.preventDefault()
        onPasteSeveral(`${text} ${pasted}`)
      }}
      className="h-full min-w-0 flex-1 bg-transparent outline-none"
    />
  )
}
