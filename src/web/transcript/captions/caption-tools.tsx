import { EllipsisVertical, MoveHorizontal } from 'lucide-react'
import { useState } from 'react'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import { useSignal } from '../../base/state/signal.ts'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { Menu, MenuItem } from '../../base/ui/menu.tsx'
import type { Corrections } from '../edit/corrections.ts'
import type { Captions } from './captions.ts'
import { ShiftDialog } from './shift-dialog.tsx'

type Props = {
  captions: Captions
  corrections: Corrections
  rules: CaptionRules
  onRules: (rules: CaptionRules) => Promise<void>
}

/** What is done to all captions at once, and seldom. */
export function CaptionTools({ captions, corrections, rules, onRules }: Props) {
  const [isShifting, setShifting] = useState(false)
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
        <MenuItem disabled={isEmpty} onSelect={() => corrections.mayChange() && setShifting(true)}>
          <MoveHorizontal aria-hidden /> Shift or stretch…
        </MenuItem>
      </Menu>
      {isShifting && <ShiftDialog {...{ captions, rules }} onChange={onRules} onClose={() => setShifting(false)} />}
    </>
  )
}
