import { existsSync } from 'node:fs'
import { chromium, type LaunchOptions } from '@playwright/test'

/** Playwright's own browser where it is installed, else the system's (Debian's package). */
const executablePath = [chromium.executablePath(), '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)

/** How every test, bench and picture starts its browser. */
export const browserLaunch: LaunchOptions = {
  ...(executablePath === undefined ? {} : { executablePath }),
  // As root (containers, CI) Chromium runs only without its sandbox; the pages are our own.
  args: [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-quic',
  ],
}
