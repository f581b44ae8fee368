import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountOverview } from '../../../contract/account/account.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { account } from '../../base/api/account.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { saveDefaults } from '../../base/api/settings.ts'
import { Button } from '../../base/ui/button.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import { OptionsPanel } from '../../signed-in/options/options-panel.tsx'
import { bookOf } from '../../signed-in/options/price-book.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { Section } from './section.tsx'

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
      words="Used for every order that does not set its own options, including orders made through the API."
    >
      <div className="max-w-lg">
        <OptionsPanel
          options={options}
          book={bookOf(overview)}
          suggestions={[]}
          overview={overview}
          onChange={(change: Partial<OrderOptions>) => setOptions({ ...options, ...change })}
        />
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
