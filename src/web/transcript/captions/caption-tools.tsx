import { useQuery } from '@tanstack/react-query'
import { ArrowUpFromLine, EllipsisVertical, FilePlus, Film, MoveHorizontal } from 'lucide-react'
import { useState } from 'react'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import { defaultCaptionRules, findStyle, nameRules } from '../../../formats/captions/caption-rules.ts'
import { account } from '../../base/api/account.ts'
import type { Session } from '../../base/api/client.ts'
import { useSignal } from '../../base/state/signal.ts'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { Menu, MenuItem } from '../../base/ui/menu.tsx'
import type { Desk } from '../desk/desk.ts'
import type { Corrections } from '../edit/corrections.ts'
import { snapAll } from './caption-acts.ts'
import type { Captions } from './captions.ts'
import { ImportDialog } from './import-dialog.tsx'
import { keepForNewFiles } from './new-rules.ts'
import type { SetCaptionRules } from './set-rules.ts'
import { ShiftDialog } from './shift-dialog.tsx'
import type { ShotChanges } from './use-shots.ts'

type Props = {
  session: Session
  desk: Desk
  captions: Captions
  corrections: Corrections
  rules: CaptionRules
  recordingSeconds: number
  /** null: the recording has no picture */
  shots: ShotChanges | null
  /** as a step that is undone */
  onRules: SetCaptionRules
  /** as part of another step */
  onPutRules: SetCaptionRules
}

/** What is done to all captions at once, and seldom. */
export function CaptionTools({ session, desk, captions, corrections, rules, onPutRules, ...props }: Props) {
  const { recordingSeconds, shots, onRules } = props
  const [open, setOpen] = useState<'shift' | 'import' | null>(null)
  const close = () => setOpen(null)
  const show = (dialog: 'shift' | 'import') => corrections.mayChange() && setOpen(dialog)
  const { data: overview } = useQuery(account.overview(session))
  const isOfNewFiles =
    findStyle(rules) !== 'own' && findStyle(rules) === findStyle(overview?.caption_rules ?? defaultCaptionRules)
  const isEmpty = useSignal(captions.state).cues.length === 0
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label="More for all captions">
            <EllipsisVertical aria-hidden />
          </IconButton>
        }
      >
        <MenuItem disabled={isEmpty} onSelect={() => show('shift')}>
          <MoveHorizontal aria-hidden /> Shift or stretch…
        </MenuItem>
        {shots !== null && (
          <MenuItem
            disabled={isEmpty || shots.shots.length === 0}
            onSelect={() => corrections.mayChange() && void snapAll(captions, shots.shots)}
            note={shots.isFinding ? 'looking for them' : shots.shots.length === 0 && 'there are none'}
          >
            <Film aria-hidden /> Snap to shot changes
          </MenuItem>
        )}
        <MenuItem onSelect={() => show('import')}>
          <ArrowUpFromLine aria-hidden /> Import SRT, VTT or SBV…
        </MenuItem>
        {overview?.features.settings && (
          <MenuItem
            disabled={isOfNewFiles}
            note={isOfNewFiles && 'they have them'}
            onSelect={() => void keepForNewFiles(session, rules)}
          >
            <FilePlus aria-hidden /> Use {nameRules({ ...rules, timing: undefined })} for new files
          </MenuItem>
        )}
      </Menu>
      {open === 'shift' && (
        <ShiftDialog {...{ captions, rules, recordingSeconds }} onChange={onRules} onClose={close} />
      )}
      {open === 'import' && <ImportDialog {...{ desk, captions, corrections, rules, onPutRules }} onClose={close} />}
    </>
  )
}
