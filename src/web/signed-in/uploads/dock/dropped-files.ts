import { type ComponentProps, useCallback } from 'react'
import { matchPath, useNavigate } from 'react-router'
import type { Session } from '../../../base/api/client.ts'
import { Signal, useSignal } from '../../../base/state/signal.ts'
import { later } from '../../../base/ui/later.tsx'
import type { IncomingFile } from '../tray/add-to-tray.ts'

/** The tray of the new order, loaded with the first recording for it. */
export const tray = later(async () => ({
  ...(await import('../tray/add-and-announce.ts')),
  ...(await import('../tray/add-to-tray.ts')),
}))

const isDragging = new Signal(false)

/** True while files are dragged over the app. */
export function useIsDragging(): boolean {
  return useSignal(isDragging)
}

/** While files are dragged over the app, and once they are not. */
export function setDragging(isOver: boolean): void {
  if (isOver) void tray.load()
  isDragging.set(isOver)
}

/** Adds recordings to the tray of the new order, or to the batch whose page is open. */
export function useAddFiles(session: Session): (incoming: Promise<readonly IncomingFile[]>) => Promise<void> {
  const navigate = useNavigate()
  return useCallback(
    async (incoming) => {
      const { addAndAnnounce } = await tray.load()
      const openOrder = () => void navigate(`/${session.environment}/order`)
      const batch = matchPath('/:environment/order/:batch', location.pathname)?.params.batch
      const from = batch === undefined ? null : { batch, openOrder }
      if (await addAndAnnounce(session, await incoming, from)) openOrder()
    },
    [session, navigate],
  )
}

/** Props of the app's outermost element with which it accepts drops. */
export type DropProps = () => ComponentProps<'div'>
