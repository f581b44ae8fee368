import { expect, type Page } from '@playwright/test'

/** Expects a drawn waveform: bars of silence all have the same height. */
export async function expectWaveform(page: Page): Promise<void> {
  const bars = page.getByRole('slider', { name: 'Position in the recording' }).locator('path').first()
  await expect.poll(async () => new Set((await bars.getAttribute('d'))?.match(/(?<=v)[\d.]+/g)).size).toBeGreaterThan(1)
}
