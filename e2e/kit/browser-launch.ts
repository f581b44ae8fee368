import { existsSync } from 'node:fs'
import { chromium, type LaunchOptions } from '@playwright/test'

/** The system's browsers (Debian's packages); like Playwright's own, the headless one first. */
const systemBrowsers = ['chromium-headless-shell', 'chromium', 'chromium-browser'].map((name) => `/usr/bin/${name}`)

/** Playwright's own browser if installed, else the system's. */
const executablePath = [chromium.executablePath(), ...systemBrowsers].find(existsSync)

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
