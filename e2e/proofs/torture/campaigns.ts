import type { Bench } from '../bench/measurement.ts'

/** Lazily loaded, as each has its own dependencies. */
export const campaigns: Record<string, () => Promise<Bench>> = {
  kill: async () => (await import('./kill.ts')).tortureKill,
  disk: async () => (await import('./disk.ts')).tortureDisk,
  backups: async () => (await import('./backups.ts')).tortureBackups,
  names: async () => (await import('./names.ts')).tortureNames,
  payments: async () => (await import('./payments.ts')).torturePayments,
  provider: async () => (await import('./provider.ts')).tortureProvider,
  receiver: async () => (await import('./receiver.ts')).tortureReceiver,
  archive: async () => (await import('./archive.ts')).tortureArchive,
  clocks: async () => (await import('./clocks.ts')).tortureClocks,
  claims: async () => (await import('./claims.ts')).tortureClaims,
  typing: async () => (await import('./typing.ts')).tortureTyping,
  workbench: async () => (await import('./workbench.ts')).tortureWorkbench,
  'node-races': async () => (await import('./node-races.ts')).tortureNodeRaces,
  'node-events': async () => (await import('./node-events.ts')).tortureNodeEvents,
  'node-queue': async () => (await import('./node-queue.ts')).tortureNodeQueue,
  'node-kill': async () => (await import('./node-faults.ts')).tortureNodeKill,
  'node-database': async () => (await import('./node-faults.ts')).tortureNodeDatabase,
  'node-commits': async () => (await import('./node-faults.ts')).tortureNodeCommits,
  'node-claims': async () => (await import('./claims.ts')).tortureNodeClaims,
  fleet: async () => (await import('./fleet.ts')).tortureFleet,
  load: async () => (await import('./load.ts')).tortureLoad,
  soak: async () => (await import('./soak.ts')).tortureSoak,
}
