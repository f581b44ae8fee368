import { Settings } from 'lucide-react'
import { useState } from 'react'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import { captionStyles, findStyle, withTimingOf } from '../../../formats/captions/caption-rules.ts'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { Select } from '../../base/ui/select.tsx'
import { contradictionIn } from '../downloads/apply-choices.ts'
import { CaptionFields, styleChoices } from '../downloads/caption-fields.tsx'
import type { SetCaptionRules } from './set-rules.ts'

type RuleProps = {
  rules: CaptionRules
  /** says why, if not */
  mayChange: () => boolean
  onChange: SetCaptionRules
}

/** The style guides' rules, and own ones, which a form asks for. */
const ruleChoices = [...styleChoices, { value: 'own' as const, label: 'Own rules…' }]

/** Selects a house style, or custom rules in a form. */
export function RuleChoice({ rules, mayChange, onChange }: RuleProps) {
  const [edited, setEdited] = useState<CaptionRules | null>(null)
  const edit = () => {
    if (mayChange()) setEdited(rules)
  }
  const choose = (style: (typeof ruleChoices)[number]['value']) => {
    if (style === 'own') edit()
    else void onChange(withTimingOf(rules, captionStyles[style]))
  }
  return (
    <>
      <Select label="Caption rules" look="quiet" value={findStyle(rules)} options={ruleChoices} onChange={choose} />
      <IconButton label="Change the rules" onClick={edit}>
        <Settings aria-hidden />
      </IconButton>
      {edited !== null && (
        <FormDialog
          title="Caption rules"
          submit="Use these rules"
          isReady={contradictionIn(edited) === null}
          onSubmit={() => onChange(edited)}
          onClose={() => setEdited(null)}
        >
          <CaptionFields rules={edited} onChange={(next) => next && setEdited(next)} />
        </FormDialog>
      )}
    </>
  )
}
