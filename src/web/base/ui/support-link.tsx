import type { ReactNode } from 'react'

type Props = { email: string; subject: string; children?: ReactNode }

/** A link that emails the service's support. */
export function SupportLink({ email, subject, children = email }: Props) {
  return (
    <a href={`mailto:${email}?subject=${encodeURIComponent(subject)}`} className="underline underline-offset-2">
      {children}
    </a>
  )
}
