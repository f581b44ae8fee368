import { useEffect } from 'react'
import type { Environment } from '../../contract/interface/environment.ts'
import { useInProgress } from '../signed-in/library/use-live.ts'

type Props = { page: string | undefined; environment: Environment }

/** Sets the tab's title and icon: page, environment, and number of files in progress. */
export function Titles({ page, environment }: Props) {
  const inProgress = useInProgress()
  useEffect(() => {
    const count = inProgress > 0 ? `(${inProgress}) ` : ''
    // A page without a title here (a transcript) sets its own.
    if (page === undefined) return
    const sandbox = environment === 'sandbox' ? ['Sandbox'] : []
    document.title = `${count}${[page, ...sandbox, 'Parley'].join(' · ')}`
  }, [page, environment, inProgress])
  // Capped at nine: hundreds of orders must not create hundreds of icons.
  const icon = inProgress > 0 ? countIcon(inProgress) : plainIcon
  useEffect(() => showIcon(icon), [icon])
  useEffect(() => () => showIcon(plainIcon), [])
  return null
}

const plainIcon = '/favicon.svg'

function showIcon(href: string): void {
  document.querySelector('link[rel="icon"]')?.setAttribute('href', href)
}

/** The logo with a number badge, as an SVG data URL. */
function countIcon(count: number): string {
  const bars =
    '<path d="M4 14v4M9 11v10M14 5v22M19 9v14M24 6v20M28.5 14v4" stroke="#0f5e54" stroke-width="3" stroke-linecap="round"/>'
  const words = count > 9 ? '9+' : String(count)
  const badge = `<circle cx="22" cy="22" r="10" fill="#8f5400"/><text x="22" y="27" font-family="sans-serif" font-size="14" font-weight="700" text-anchor="middle" fill="#fff">${words}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none">${bars}${badge}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
