import type { ReactNode } from 'react'

const tones = {
  plain: 'bg-sunken text-ink-2',
  accent: 'bg-accent-soft text-accent',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  sandbox: 'bg-sandbox-soft text-sandbox',
}

export type PillTone = keyof typeof tones

/** Classes of a pill, for buttons and links styled like one. */
export function pillClass(tone: PillTone): string {
  return `inline-flex h-5.5 items-center gap-1.5 rounded-full px-2.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3.5 ${tones[tone]}`
}

/** A short label for a state. */
export function Pill({ tone = 'plain', children }: { tone?: PillTone; children: ReactNode }) {
  return <span className={pillClass(tone)}>{children}</span>
}
