import * as z from 'zod/mini'
import { orderOptions } from '../interface/order-options.ts'

/** Maximum JSON size of all settings together; more is a 413. */
export const maxSettingsBytes = 64 * 1_024

/**
 * Dashboard settings stored with the account (appearance, presets, notifications): an object whose shape only the
 * dashboard knows. `GET settings` reads it, `PUT settings` replaces it, `PATCH settings` changes parts of it (a JSON
 * merge patch, RFC 7396), so that concurrent writers of different parts lose nothing.
 */
export const accountSettings = z.record(z.string(), z.unknown())
export type AccountSettings = z.infer<typeof accountSettings>

/**
 * Which version of a finished transcript API clients get: the service's own, the last approved one, or the corrected
 * one. If it does not exist, they get the service's own.
 */
export const programTexts = ['original', 'approved', 'corrected'] as const
export type ProgramText = (typeof programTexts)[number]
/** Body and response of `PUT program-text` */
export const programText = z.strictObject({ program_text: z.enum(programTexts) })

/** Body of `PUT defaults`: all overrides of the spec's defaults (spec 2.3, rule 2). The response has all options. */
export const newDefaults = z.partial(z.strictObject(orderOptions.shape))
export const accountDefaults = z.object({ default_options: orderOptions })
