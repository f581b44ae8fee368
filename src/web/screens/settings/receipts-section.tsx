import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { settings, useSettings } from '../../base/api/settings.ts'
import { Button } from '../../base/ui/button.tsx'
import { TextArea } from '../../base/ui/field.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import { useSession } from '../../signed-in/session/session.ts'
import { Section } from './section.tsx'

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
