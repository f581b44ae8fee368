import type { Bench } from './measurement.ts'

/** Lazily loaded, as each has its own dependencies. */
export const benches: Record<string, () => Promise<Bench>> = {
  api: async () => (await import('./api.ts')).benchApi,
  formats: async () => (await import('./formats.ts')).benchFormats,
  files: async () => (await import('./files.ts')).benchFiles,
  order: async () => (await import('./order.ts')).benchOrder,
  views: async () => (await import('./views.ts')).benchViews,
  upload: async () => (await import('./upload.ts')).benchUpload,
  'upload-s3': async () => (await import('./upload-s3.ts')).benchUploadS3,
  recognition: async () => (await import('./recognition.ts')).benchRecognition,
  'recognition-long': async () => (await import('./recognition-long.ts')).benchRecognitionLong,
  sections: async () => (await import('./sections.ts')).benchSections,
  cores: async () => (await import('./cores.ts')).benchCores,
  speakers: async () => (await import('./speakers.ts')).benchSpeakers,
  events: async () => (await import('./events.ts')).benchEvents,
  ledger: async () => (await import('./ledger.ts')).benchLedger,
  webhooks: async () => (await import('./webhooks.ts')).benchWebhooks,
  nodes: async () => (await import('./nodes.ts')).benchNodes,
  search: async () => (await import('./search.ts')).benchSearch,
  'search-postgres': async () => (await import('./search.ts')).benchSearchPostgres,
  export: async () => (await import('./export.ts')).benchExport,
  desk: async () => (await import('./desk.ts')).benchDesk,
  transcript: async () => (await import('./transcript.ts')).benchTranscript,
}
