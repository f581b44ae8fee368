import * as z from 'zod/mini'
import { orderOptions } from './order-options.ts'

/** Metadata of one file, with the types of spec 2.2. */
export const fileMetadata = z.object({
  name: z.string(),
  created: z.string(),
  seconds: z.string(),
  bytes: z.string(),
  cost: z.string(),
  discount: z.string(),
  total: z.number(),
  transaction_id: z.string(),
  refund_amount: z.string(),
  currency: z.string(),
  delivery: z.string(),
  delay_reason: z.nullable(z.string()),
  duplicates: z.nullable(z.array(z.string())),
  options: orderOptions,
  progress_percent: z.number(),
})
export type FileMetadata = z.infer<typeof fileMetadata>

/** An entry of `GET files`, and the response to a created file (spec 2.1, 4.2). */
export const fileId = z.object({ id: z.string() })
export type FileId = z.infer<typeof fileId>
export const fileList = z.array(fileId)

/** JSON in pure ASCII, as a header requires: everything else becomes `\u` escapes (decision 2). */
export function toHeaderJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
