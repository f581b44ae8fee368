import * as z from 'zod/mini'
import { orderOptions } from '../interface/order-options.ts'

/** Longest JSON that settings may be in all; more is a 413. */
export const maxSettingsBytes = 64 * 1_024

/**
 * What the dashboard stores with the account (appearance, presets, notifications): an object whose form is the
 * dashboard's own matter. `GET settings` reads it, `PUT settings` replaces it, `PATCH settings` changes parts of it (a
 * JSON merge patch, RFC 7396), so that two writers of different parts lose nothing.
 */
export const accountSettings = z.record(z.string(), z.unknown())
export type AccountSettings = z.infer<typeof accountSettings>

/**
 * Which text of a finished transcript programs get: the service's own, the one that was approved last, or the one that is
 * corrected now. If there is none of these they get the service's own.
 */
export const programTexts = ['original', 'approved', 'corrected'] as const
export type ProgramText = (typeof programTexts)[number]
/** Body and answer of `PUT program-text` */
export const programText = z.strictObject({ program_text: z.enum(programTexts) })

/** Body of `PUT defaults`: all that the account changes of the spec's defaults (spec 2.3, rule 2). The answer is whole. */
export const newDefaults = z.partial(z.strictObject(orderOptions.shape))
export const accountDefaults = z.object({ default_options: orderOptions })
