/* The look of the frame, shared by the frame itself and by what stands before its code is there. */

export const frameClass = 'flex min-h-dvh phone:flex-col'
export const topBarClass = 'flex h-12 items-center justify-between border-b border-line px-4 print:hidden'
/** 224 px of the desktop. */
export const sidebarClass = 'sticky top-0 flex h-dvh w-56 shrink-0 flex-col border-r border-line p-3.5 print:hidden'
/** The sidebar as icons. */
export const railClass =
  'sticky top-0 flex h-dvh w-16 shrink-0 flex-col items-center gap-5 border-r border-line py-4 print:hidden'
export const contentClass = 'flex min-w-0 flex-1 flex-col'
export const mainClass = 'min-h-0 min-w-0 flex-1 outline-none'

/** Below this the rows become cards and the pages a bar at the bottom; the same edge as the `phone:` variant. */
export const phoneQuery = '(width < 48rem)'
/** Below this there is no room for the sidebar's words. */
export const railQuery = '(width < 72rem)'
