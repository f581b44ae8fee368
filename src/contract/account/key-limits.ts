import * as z from 'zod/mini'

/* Apart from `keys.ts`: the overview has it, which the sign-in page loads. */

/**
 * What a key may do. `read`: look at files and texts; `order`: upload and spend money; `correct`: change texts, names,
 * tags and vocabulary; `delete`: delete files; `manage`: keys, card, webhook, projects, settings and the audit log.
 */
export const keyRights = ['read', 'order', 'correct', 'delete', 'manage'] as const
export type KeyRight = (typeof keyRights)[number]

/** Limits of a key, in its row and in the overview. */
export const keyLimits = z.object({
  rights: z.array(z.enum(keyRights)),
  /** cents that its orders may cost in a calendar month (UTC); null: no limit */
  month_limit_cents: z.nullable(z.number()),
  /** cents that its orders may cost in all, less refunds; null or absent: no limit */
  total_limit_cents: z.optional(z.nullable(z.number())),
  /** ids of the projects to which the key is limited; null: all files */
  projects: z.nullable(z.array(z.string())),
})
export type KeyLimits = z.infer<typeof keyLimits>
