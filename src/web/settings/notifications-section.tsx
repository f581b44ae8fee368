import { useState } from 'react'
import { notifiesReady, setNotifiesReady } from '../shell/ready-news.ts'
import { Notice } from '../ui/notice.tsx'
import { Switch } from '../ui/switch.tsx'
import { Section } from './section.tsx'

/** Notifications of the browser. The browser is asked only when a switch is turned on. */
export function NotificationsSection() {
  const [isOn, setIsOn] = useState(notifiesReady)
  const [isRefused, setIsRefused] = useState(false)
  async function turn(on: boolean) {
    const granted = await setNotifiesReady(on)
    setIsOn(granted)
    setIsRefused(on && !granted)
  }
  return (
    <Section
      id="notifications"
      title="Notifications"
      words="Shown by the browser while Parley is open in a tab that you are not looking at."
    >
      <div className="border-t border-line pt-2">
        <Switch label="A file is ready" checked={isOn} onChange={(on) => void turn(on)} />
      </div>
      {isRefused && (
        <Notice tone="warn">
          The browser does not allow notifications from this address. Allow them in its settings.
        </Notice>
      )}
    </Section>
  )
}
