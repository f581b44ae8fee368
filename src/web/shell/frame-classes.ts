import type { Environment } from '../../contract/environment.ts'
import { pillClass } from '../ui/pill.tsx'

/* Classes of the frame, shared by the frame itself and by the first sight, which is drawn before its code is there. */

export const frameClass = 'flex min-h-dvh phone:flex-col'
export const topBarClass = 'flex h-12 items-center justify-between border-b border-line px-4 print:hidden'
/** 224 px of the desktop. */
export const sidebarClass = 'sticky top-0 flex h-dvh w-56 shrink-0 flex-col border-r border-line p-3.5 print:hidden'
/** The sidebar as icons. */
export const railClass =
  'sticky top-0 flex h-dvh w-16 shrink-0 flex-col items-center gap-5 border-r border-line py-4 print:hidden'
export const railNavClass = 'grid gap-1.5'

function linkTone(isActive: boolean): string {
  return isActive ? 'bg-sunken text-ink' : 'text-ink-2 hover:bg-sunken hover:text-ink'
}

export function railLinkClass(isActive: boolean): string {
  return `grid size-[34px] place-items-center rounded-md transition-colors ${linkTone(isActive)}`
}

export const brandClass = 'flex items-center gap-2.5 rounded-md px-2 py-1 text-[1.0625rem] font-semibold'
export const sideNavClass = 'mt-4 grid gap-0.5'

export function sideLinkClass(isActive: boolean): string {
  return `flex h-8 items-center gap-2.5 rounded-md px-2.5 font-medium transition-colors ${linkTone(isActive)}`
}

export const sideCountClass = 'ml-auto text-sm font-normal text-ink-3 tabular-nums'
export const sideFootClass = 'mt-auto flex items-center justify-between border-t border-line pt-3 pl-2 text-sm'
export const sideKeyClass = 'text-xs text-ink-2 tabular-nums'
export const signOutClass = 'rounded-md px-2 py-1 text-ink-2 hover:bg-sunken hover:text-ink'

export function environmentPillClass(environment: Environment): string {
  return `${pillClass(environment === 'live' ? 'plain' : 'sandbox')} min-h-7`
}

export const topBrandClass = 'flex min-h-8 items-center gap-2 font-semibold'
/** The pages, at the bottom of a phone. */
export const tabBarClass =
  'fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t border-line bg-canvas pb-[env(safe-area-inset-bottom)] print:hidden'

export function tabClass(isActive: boolean): string {
  return `grid h-14 place-items-center content-center gap-0.5 text-[0.6875rem] ${isActive ? 'font-medium text-accent' : 'text-ink-2'}`
}

export const contentClass = 'flex min-w-0 flex-1 flex-col'
export const mainClass = 'min-h-0 min-w-0 flex-1 outline-none'
