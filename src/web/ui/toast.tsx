import { Toast as BaseToast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { iconButtonClass } from './icon-button.tsx'

const manager = BaseToast.createToastManager()

type Message = {
  title: string
  detail?: string
  tone?: 'plain' | 'ok' | 'bad'
  action?: { label: string; onPress: () => void }
  /** milliseconds; 0: until it is closed, the default of errors */
  stayMs?: number
}

/** Shows a message in the corner, announced to screen readers; errors assertively. Returns a function that closes it. */
export function showToast({ title, detail, tone = 'plain', action, stayMs }: Message): () => void {
  const id = manager.add({
    title,
    description: detail,
    type: tone,
    priority: tone === 'bad' ? 'high' : 'low',
    timeout: stayMs ?? (tone === 'bad' ? 0 : 6_000),
    actionProps: action && { children: action.label, onClick: action.onPress },
  })
  return () => manager.close(id)
}

const edges: Record<string, string> = { ok: 'border-l-ok', bad: 'border-l-bad' }

function ToastList() {
  const { toasts } = BaseToast.useToastManager()
  return toasts.map((toast) => (
    <BaseToast.Root
      key={toast.id}
      toast={toast}
      className={`rounded-[10px] border border-l-4 border-line bg-surface p-3 shadow-high transition data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0 data-limited:hidden ${edges[toast.type ?? ''] ?? 'border-l-accent'}`}
    >
      <BaseToast.Content className="flex items-start gap-3">
        <div className="grid min-w-0 flex-1 gap-0.5">
          <BaseToast.Title className="font-semibold whitespace-pre-wrap" />
          <BaseToast.Description className="text-sm break-words whitespace-pre-wrap text-ink-2" />
        </div>
        {toast.actionProps && (
          <BaseToast.Action className="rounded-md px-1.5 py-0.5 font-semibold text-accent hover:bg-accent-soft" />
        )}
        <BaseToast.Close aria-label="Dismiss" className={`${iconButtonClass} -mt-1 -mr-1 size-7`}>
          <X aria-hidden />
        </BaseToast.Close>
      </BaseToast.Content>
    </BaseToast.Root>
  ))
}

/** The region of the messages; once, around the app. */
export function ToastRegion({ children }: { children: ReactNode }) {
  return (
    <BaseToast.Provider toastManager={manager} limit={3}>
      {children}
      <BaseToast.Portal>
        <BaseToast.Viewport className="fixed right-4 bottom-4 z-50 grid w-[min(24rem,calc(100vw-2rem))] gap-2 phone:bottom-20">
          <ToastList />
        </BaseToast.Viewport>
      </BaseToast.Portal>
    </BaseToast.Provider>
  )
}
