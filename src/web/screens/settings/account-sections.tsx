import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountOverview } from '../../../contract/account/account.ts'
import { type ProgramText, programTexts } from '../../../contract/account/settings.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { account } from '../../base/api/account.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { saveDefaults, saveProgramText, settings, useSettings } from '../../base/api/settings.ts'
import { Button } from '../../base/ui/button.tsx'
import { TextArea } from '../../base/ui/field.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { Switch } from '../../base/ui/switch.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import { notifies, setNotifies } from '../../signed-in/library/news.ts'
import { OptionsPanel } from '../../signed-in/options/options-panel.tsx'
import { readPriceBook } from '../../signed-in/options/price-book.ts'
import { RatesNote } from '../../signed-in/options/rates-note.tsx'
import { type NewsKind, newsKinds, usePreferences } from '../../signed-in/preferences/preferences.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { Section } from './section.tsx'

const labels: Record<NewsKind, string> = {
  ready: 'A file is ready',
  late: 'A file is delayed',
  payment: 'A payment failed',
  webhook: 'The webhook was paused after failing',
}

/** Browser notifications by kind. Asks for permission only when one is turned on. */
export function NotificationsSection() {
  const session = useSession()
  usePreferences()
  const [isRefused, setIsRefused] = useState(false)
  return (
    <Section
      id="notifications"
      title="Notifications"
      words="Shown by the browser while Parley is open in a background tab."
    >
      <div className="grid gap-1 border-t border-line pt-2">
        {newsKinds.map((kind) => (
          <Switch
            key={kind}
            label={labels[kind]}
            checked={notifies(kind)}
            onChange={(on) => void setNotifies(session, kind, on).then((granted) => setIsRefused(on && !granted))}
          />
        ))}
      </div>
      {isRefused && (
        <Notice tone="warn">
          The browser does not allow notifications from this address. Allow them in its settings, then try again.
        </Notice>
      )}
    </Section>
  )
}

const maxLength = 500

/** Billing name and address for receipts. */
export function ReceiptsSection() {
  const session = useSession()
  const { billing } = useSettings(session)
  const kept = typeof billing === 'string' ? billing : ''
  const [typed, setTyped] = useState<string | null>(null)
  const save = useMutation({
    ...settings.change(session),
    onSettled: () => setTyped(null),
  })
  const text = typed ?? kept
  const saveText = () =>
    save.mutate(
      { billing: text.trim() || null },
      { onSuccess: () => showToast({ tone: 'ok', title: 'Name and address saved' }) },
    )
  return (
    <Section
      id="receipts"
      title="Receipts"
      words="One for each file in its menu, one for each month on Usage. What stands here is printed on them."
    >
      <TextArea
        label="Your name and address, and your tax number"
        rows={4}
        maxLength={maxLength}
        value={text}
        onChange={({ target }) => setTyped(target.value)}
      />
      {save.error && <Notice tone="bad">{save.error.message}</Notice>}
      <Button className="justify-self-start" onClick={saveText} disabled={save.isPending || text.trim() === kept}>
        Save
      </Button>
    </Section>
  )
}

const choices: Record<ProgramText, { label: string; words: string }> = {
  original: { label: 'Original', words: 'Uncorrected: corrections do not change it.' },
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
    onSuccess: () => showToast({ tone: 'ok', title: 'Text in the API saved' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: account.all(session) }),
  })
  const shown = save.isPending ? save.variables : chosen
  return (
    <Section
      id="programs"
      title="Text in the API"
      words="What your programs get from the API when they load a finished transcript, in all formats. The header Transcript-Version of each answer says which version it is."
    >
      <fieldset className="grid gap-3 border-t border-line pt-3">
        <legend className="sr-only">Text in the API</legend>
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

/** Default options of orders that name none, including those through the API (spec 2.3, rule 2). */
export function DefaultsSection({ overview }: { overview: AccountOverview }) {
  const session = useSession()
  const [options, setOptions] = useState(overview.default_options)
  const save = useMutation({
    mutationFn: () => saveDefaults(session, options),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: account.all(session) })
      showToast({ tone: 'ok', title: 'Default options saved' })
    },
  })
  const isChanged = JSON.stringify(options) !== JSON.stringify(overview.default_options)
  return (
    <Section
      id="defaults"
      title="Default options"
      words={`Used for every order that does not set its own options, including orders made through the API.${
        overview.features.manual_typing === 'none'
          ? ' While this service has no typists, New order begins with Automated. An order through the API that is manual is charged at once, and refunded in full on its delivery date if nobody has begun.'
          : ''
      }`}
    >
      <div className="max-w-lg">
        <OptionsPanel
          options={options}
          book={readPriceBook(overview)}
          suggestions={[]}
          overview={overview}
          onChange={(change: Partial<OrderOptions>) => setOptions({ ...options, ...change })}
        />
        <RatesNote overview={overview} />
      </div>
      {save.error && <Notice tone="bad">{save.error.message}</Notice>}
      <div className="flex max-w-lg justify-end gap-2 border-t border-line pt-4">
        {isChanged && <Button onClick={() => setOptions(overview.default_options)}>Discard changes</Button>}
        <Button variant="primary" disabled={!isChanged || save.isPending} onClick={() => save.mutate()}>
          Save defaults
        </Button>
      </div>
    </Section>
  )
}
