import { useState } from 'react'
import { Notice } from '../../base/ui/notice.tsx'
import { Switch } from '../../base/ui/switch.tsx'
import { notifies, setNotifies } from '../../signed-in/library/news.ts'
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
