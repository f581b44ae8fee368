import { pino } from 'pino'
import { afterEach, it, vi } from 'vitest'
import { defaultConfig } from '../../platform/config.ts'
import { openHttpApp } from './http-app.ts'

afterEach(() => vi.useRealTimers())

it('startup has no timeout', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const app = openHttpApp(defaultConfig, pino({ level: 'silent' }), null)
  const { promise, resolve } = Promise.withResolvers<void>()
  app.register(() => promise)
  const ready = app.ready()
  await vi.advanceTimersByTimeAsync(60_000)
  resolve()
  await ready
  await app.close()
})
