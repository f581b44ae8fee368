import { later } from '../../base/ui/later.tsx'

const downloads = later(() => import('./download-transcript.ts'))

type Args = Parameters<Awaited<ReturnType<typeof downloads.load>>['downloadTranscript']>

/** Downloads a transcript, see {@link downloadTranscript}, whose code comes with the first. */
export function startDownload(...args: Args): void {
  void downloads.load().then(({ downloadTranscript }) => downloadTranscript(...args))
}
