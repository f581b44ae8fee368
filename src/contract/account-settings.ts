import * as z from 'zod/mini'
import { orderOptions } from './order-options.ts'

/** Longest JSON that `PUT settings` takes; more is a 413. */
export const maxSettingsBytes = 64 * 1_024

/**
 * What the dashboard keeps with the account (appearance, presets, notifications), an object of its own making:
 * `GET settings`, `PUT settings` (replaces).
 */
export const accountSettings = z.record(z.string(), z.json())
export type AccountSettings = z.infer<typeof accountSettings>

/** Body of `PUT defaults`: all that the account changes of the spec's defaults (spec 2.3, rule 2). The answer is whole. */
export const newDefaults = z.partial(z.strictObject(orderOptions.shape))
export const accountDefaults = z.object({ default_options: orderOptions })
