import { existsSync } from 'node:fs'
import { chromium, type LaunchOptions } from '@playwright/test'

/** Playwright's own browser where it is installed, else the system's (Debian's package). */
const executablePath = [chromium.executablePath(), '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)

/**
 * Debian's Chromium fills the pop-up of its address bar for each new window, which nobody sees here and which costs a
 * second of processor time. The last list of features counts, so Playwright's own ones of weight stand here, too.
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

/** How every test, bench and picture starts its browser. */
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
