import { useState } from 'react'
import { captionStyleIds } from '../../../contract/account/caption-styles.ts'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import { captionStyles, findStyle, nameRules } from '../../../formats/captions/caption-rules.ts'
import { Field } from '../../base/ui/field.tsx'
import { Segmented } from '../../base/ui/segmented.tsx'
import { Select } from '../../base/ui/select.tsx'
import { contradictionIn } from './apply-choices.ts'

type Size = Exclude<keyof CaptionRules, 'speakers' | 'timing'>
type Limits = { label: string; least: number; most: number; step?: number }

const fields: Record<Size, Limits> = {
  lineLength: { label: 'Characters per line', least: 12, most: 80 },
  maxLines: { label: 'Lines', least: 1, most: 3 },
  minSeconds: { label: 'Shortest (seconds)', least: 0.2, most: 5, step: 0.1 },
  maxSeconds: { label: 'Longest (seconds)', least: 1, most: 20, step: 0.1 },
  charactersPerSecond: { label: 'Characters per second', least: 5, most: 60 },
  gapFrames: { label: 'Gap (frames of 1/25 s)', least: 0, most: 25 },
}

/** The style guides' rules, as a list to choose from. */
export const styleChoices = captionStyleIds.map((value) => ({ value, label: nameRules(captionStyles[value]) }))

const speakers = [
  { value: 'dash', label: 'New speaker: dash' },
  { value: 'name', label: 'New speaker: name' },
] as const

type Props<Rules> = {
  rules: Rules
  onChange: (rules: Rules) => void
  /** names the choice of no rules, null, if that is one */
  none?: string
}

/** Caption rules: those of a style guide, own ones, or none. */
export function CaptionFields({ rules, onChange, none = '' }: Props<CaptionRules | null>) {
  const style = rules === null ? 'none' : findStyle(rules)
  return (
    <>
      <Select
        label="Caption rules"
        value={style}
        options={[
          ...(none === '' ? [] : [{ value: 'none' as const, label: none }]),
          ...styleChoices,
          ...(style === 'own' ? [{ value: style, label: 'Own rules' }] : []),
        ]}
        onChange={(name) => name !== 'own' && onChange(name === 'none' ? null : captionStyles[name])}
        className="w-full"
      />
      {rules !== null && <RuleFields rules={rules} onChange={onChange} />}
    </>
  )
}

function RuleFields({ rules, onChange }: Props<CaptionRules>) {
  const problem = contradictionIn(rules)
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        {(Object.entries(fields) as [Size, Limits][]).map(([name, limits]) => (
          <RuleField
            key={name}
            limits={limits}
            value={Math.round(rules[name] * 100) / 100}
            onChange={(value) => onChange({ ...rules, [name]: value })}
          />
        ))}
      </div>
      <Segmented
        label="New speakers"
        value={rules.speakers}
        options={speakers}
        onChange={(value) => onChange({ ...rules, speakers: value })}
      />
      {problem !== null && (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
    </>
  )
}

type RuleProps = { limits: Limits; value: number; onChange: (value: number) => void }

/** While typing, the field may be empty or out of range; the last valid number applies. */
function RuleField({ limits: { label, least, most, step = 1 }, value, onChange }: RuleProps) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <Field
      label={label}
      type="number"
      min={least}
      max={most}
      step={step}
      value={typed ?? value}
      onChange={({ target }) => {
        setTyped(target.value)
        const given = target.valueAsNumber
        if (given >= least && given <= most && (step < 1 || Number.isInteger(given))) onChange(given)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
