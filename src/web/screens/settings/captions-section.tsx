import type { AccountOverview } from '../../../contract/account/account.ts'
import { defaultCaptionRules } from '../../../formats/captions/caption-rules.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { keepForNewFiles } from '../../transcript/captions/new-rules.ts'
import { RuleChoice } from '../../transcript/captions/rule-choice.tsx'
import { Section } from './section.tsx'

/** The rules that captions of new files begin with. */
export function CaptionsSection({ overview }: { overview: AccountOverview }) {
  const session = useSession()
  return (
    <Section
      id="captions"
      title="Captions"
      words="Rules of reading speed, length and gaps that captions begin with, in files ordered from now on. Each transcript can have its own."
    >
      <div className="flex items-center border-t border-line pt-3">
        <RuleChoice
          rules={overview.caption_rules ?? defaultCaptionRules}
          mayChange={() => true}
          onChange={(rules) => keepForNewFiles(session, rules)}
        />
      </div>
    </Section>
  )
}
