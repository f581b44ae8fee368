import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { mediaExtensions } from '../../../../contract/interface/media-formats.ts'
import { addAndAnnounce } from './add-and-announce.ts'
import type { Owner } from './upload.ts'

/** Types and extensions for the file chooser: some systems do not know mxf or 3ga by type. */
const accepted = ['audio/*', 'video/*', ...mediaExtensions.map((extension) => `.${extension}`)].join(',')

/** Supported by every browser, but missing in React's types. */
const folderOnly = { webkitdirectory: '' }

export const chooserClass = 'rounded-sm font-semibold text-accent underline-offset-2 hover:underline'

type Props = {
  owner: Owner
  label: string
  isFolder?: boolean
  /** the batch whose uploads the files continue */
  batch?: string | undefined
}

/** A link that opens a file chooser, or a folder chooser that includes all its content. */
export function FileChooser({ owner, label, isFolder = false, batch }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const openOrder = () => void navigate(`/${owner.environment}/order`)
  return (
    <>
      <button type="button" className={chooserClass} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={isFolder ? 'Choose a folder' : 'Choose files'}
        {...(isFolder ? folderOnly : { accept: accepted })}
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])]
          void addAndAnnounce(
            owner,
            chosen.map((file) => ({ file, handle: null })),
            batch === undefined ? null : { batch, openOrder },
          )
          event.target.value = ''
        }}
      />
    </>
  )
}
