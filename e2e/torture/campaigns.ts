import type { Bench } from '../bench/measurement.ts'

/** Loaded when asked for, as each brings its own tools. */
export const campaigns: Record<string, () => Promise<Bench>> = {
  kill: async () => (await import('./kill.ts')).tortureKill,
  disk: async () => (await import('./disk.ts')).tortureDisk,
  names: async () => (await import('./names.ts')).tortureNames,
  provider: async () => (await import('./provider.ts')).tortureProvider,
  receiver: async () => (await import('./receiver.ts')).tortureReceiver,
  archive: async () => (await import('./archive.ts')).tortureArchive,
  clocks: async () => (await import('./clocks.ts')).tortureClocks,
  load: async () => (await import('./load.ts')).tortureLoad,
}
