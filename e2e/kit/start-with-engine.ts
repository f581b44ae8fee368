import { startFakeRecognizer } from '../../src/service/recognition/testing/fake-recognizer.ts'
import { ServiceProcess } from './service-process.ts'

/** What recognizes words: most journeys read none, and pocketsphinx would take half of their processor time. */
export type Engine = 'fake' | 'pocketsphinx'

async function startFake(): Promise<{ environment: Record<string, string>; close: () => Promise<void> }> {
  const { url, close } = await startFakeRecognizer()
  return { environment: { RECOGNIZER: 'http', RECOGNIZER_URL: url.href }, close }
}

/**
 * Starts the real service with an engine, by default one that hears two words in each recording, at once.
 * @param environment added to that of the journeys
 * @param entry as in `ServiceProcess.start`
 */
export async function startWithEngine(
  engine: Engine = 'fake',
  environment: Record<string, string> = {},
  entry?: string,
): Promise<ServiceProcess> {
  const fake = engine === 'fake' ? await startFake() : null
  const recognizer = fake?.environment ?? { RECOGNIZER: engine }
  const all = { ...recognizer, OFFLINE: '1', LOG_LEVEL: 'warn', ...environment }
  const service = await ServiceProcess.start(all, entry)
  if (fake !== null) service.companions.push(fake)
  return service
}
