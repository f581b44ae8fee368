import { useMutation } from '@tanstack/react-query'
import { type ProgramText, programTexts } from '../../../contract/account/settings.ts'
import { account } from '../../base/api/account.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { saveProgramText } from '../../base/api/settings.ts'
import { Notice } from '../../base/ui/notice.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import { useSession } from '../../signed-in/session/session.ts'
import { Section } from './section.tsx'

const choices: Record<ProgramText, { label: string; words: string }> = {
  original: { label: 'Original', words: 'The transcript as the service made it. Corrections do not change it.' },
  approved: {
    label: 'Approved',
    words: 'The version that was approved last; the original until one is. Reopening a transcript does not change it.',
  },
  corrected: {
    label: 'Latest corrected',
    words: 'Every correction at once, whether anybody has approved it or not; the original where there is none.',
  },
}

/** Which text of a transcript the customer's interface returns. */
export function ProgramTextSection({ chosen }: { chosen: ProgramText }) {
  const session = useSession()
  const save = useMutation({
    mutationFn: (text: ProgramText) => saveProgramText(session, text),
    onSuccess: () => showToast({ tone: 'ok', title: 'Text for programs saved' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: account.all(session) }),
  })
  const shown = save.isPending ? save.variables : chosen
  return (
    <Section
      id="programs"
      title="Text for programs"
      words="What your programs get from the API when they load a finished transcript, in all formats. The header Transcript-Version of each answer says which version it is."
    >
      <fieldset className="grid gap-3 border-t border-line pt-3">
        <legend className="sr-only">Text for programs</legend>
        {programTexts.map((text) => (
          <label key={text} className="grid grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-3">
            <input
              type="radio"
              name="program-text"
              className="mt-0.5 size-4 accent-accent"
              checked={shown === text}
              disabled={save.isPending}
              onChange={() => save.mutate(text)}
            />
            <span>
              <span className="font-medium">{choices[text].label}</span>
              {text === 'original' && <span className="text-ink-3"> · the default</span>}
              <span className="block text-sm text-ink-2">{choices[text].words}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {save.error && <Notice tone="bad">{save.error.message}</Notice>}
    </Section>
  )
}
