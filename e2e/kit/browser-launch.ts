import { existsSync } from 'node:fs'
import { chromium, type LaunchOptions } from '@playwright/test'

/** Debian's packages, if Playwright's own browser is not installed. */
const wholeBrowsers = [chromium.executablePath(), '/usr/bin/chromium', '/usr/bin/chromium-browser']
/** Like Playwright's own, it is preferred: the same engine starts faster without the browser around it. */
const headlessShell = '/usr/bin/chromium-headless-shell'

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

function launchFirst(paths: readonly string[]): LaunchOptions {
  const executablePath = paths.find(existsSync)
  return {
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
}

/** Launch options for tests and pictures. */
export const browserLaunch = launchFirst([headlessShell, ...wholeBrowsers])

/** For tests of notifications, which the headless shell refuses, and for benches: people use a whole browser. */
export const wholeBrowserLaunch = launchFirst(wholeBrowsers)
