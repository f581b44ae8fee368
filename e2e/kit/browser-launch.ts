import { existsSync } from 'node:fs'
import { chromium, type LaunchOptions } from '@playwright/test'

/** Playwright's own browser if installed, else the system's (Debian's package). */
const executablePath = [chromium.executablePath(), '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)

/**
 * Debian's Chromium prerenders its address bar popup for each new window, which costs a second of processor time here
 * for nothing. Only the last list of features counts, so Playwright's important ones are repeated here.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
]

/** Launch options for every test, bench and picture. */
export const browserLaunch: LaunchOptions = {
  ...(executablePath === undefined ? {} : { executablePath }),
  // As root (containers, CI) Chromium runs only without its sandbox; the pages are our own.
  args: [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-quic',
    `--disable-features=${disabledFeatures.join()}`,
  ],
}
