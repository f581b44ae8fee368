import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'parley.theme'
const listeners = new Set<() => void>()

function stored(): Theme {
  const value = localStorage.getItem(storageKey)
  return themes.find((theme) => theme === value) ?? 'system'
}

/** Puts the chosen theme on the document; `system` leaves it to the device. Call once before the first render. */
export function applyTheme(): void {
  const theme = stored()
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Chooses a theme for this device. */
export function setTheme(theme: Theme): void {
  localStorage.setItem(storageKey, theme)
  applyTheme()
  for (const listener of listeners) listener()
}

/** The chosen theme, kept up to date. */
export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, stored)
}
