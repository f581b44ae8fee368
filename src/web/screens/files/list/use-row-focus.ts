import { type RefObject, useLayoutEffect, useRef } from 'react'
import { rowElementId, rowIdAt } from '../rows/row-element.ts'

type RowFocus = {
  /** whether the list has keyboard focus */
  hasFocus: RefObject<boolean>
  /** focuses the active row once it is rendered */
  requestFocus: () => void
  onFocus: (event: React.FocusEvent<HTMLElement>) => void
  onBlur: () => void
}

/** Makes keyboard focus follow the active row, whose element may not exist yet when it becomes active. */
export function useRowFocus(activeId: string | null, onActivate: (id: string) => void): RowFocus {
  const isRequested = useRef(false)
  const hasFocus = useRef(false)
  useLayoutEffect(() => {
    if (!isRequested.current || activeId === null) return
    const element = document.getElementById(rowElementId(activeId))
    if (!element) return
    isRequested.current = false
    element.focus({ preventScroll: true })
  })
  return {
    hasFocus,
    requestFocus: () => {
      isRequested.current = true
    },
    onFocus: ({ target }) => {
      hasFocus.current = true
      const id = rowIdAt(target)
      if (id !== null) onActivate(id)
    },
    onBlur: () => {
      hasFocus.current = false
    },
  }
}
