import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { readForm } from './read-form.ts'

const form = '--b\r\nContent-Disposition: form-data; name="link"\r\n\r\nhttps://example.com/a.mp3\r\n--b--\r\n'

/** Starts reading a form that has arrived up to its last boundary; `read` then resolves with the part's content. */
function startReading(silentMs = 10_000) {
  const body = new PassThrough()
  const taken = Promise.withResolvers<string>()
  const reading = readForm(body, 'b', silentMs, async ({ content }) => taken.resolve(await text(content)))
  body.write(form)
  return { body, read: taken.promise, reading }
}

it('accepts a form once its body has ended, with or without an epilogue', async () => {
  for (const epilogue of ['', 'The end.', '\r\n'.repeat(100)]) {
    const { body, read, reading } = startReading()
    expect(await read).toBe('https://example.com/a.mp3')
    body.end(epilogue)
    await reading
  }
})

it('is 400 if the connection is lost after the last boundary, but before the declared length', async () => {
  const { body, read, reading } = startReading()
  await read
  body.destroy()
  await expect(reading).rejects.toMatchObject({ status: 400 })
})

it('is 408 if the rest of a body never arrives', async () => {
  const { read, reading } = startReading(50)
  await read
  await expect(reading).rejects.toMatchObject({ status: 408 })
})

it('is 400 if an endless epilogue follows the last boundary', async () => {
  const { body, read, reading } = startReading()
  await read
  for (let count = 0; count < 5; count += 1) body.write(Buffer.alloc(1_000_000))
  await expect(reading).rejects.toMatchObject({ status: 400 })
})
