/**
 * What `doctor` looks at, and the heading of docs/operating.md that says what to do about it: "Doctor: disk" has the
 * anchor `doctor-disk`. A test holds that each is there.
 */
export const doctorParagraphs = {
  node: 'doctor-node',
  ffmpeg: 'doctor-ffmpeg',
  ffprobe: 'doctor-ffmpeg',
  prlimit: 'doctor-prlimit',
  recognizer: 'doctor-recognizer',
  disk: 'doctor-disk',
  database: 'doctor-database',
  staff: 'doctor-staff',
  orders: 'doctor-orders',
  late: 'doctor-late',
  stripe: 'doctor-stripe',
  certificate: 'doctor-certificate',
  backup: 'doctor-backup',
  bucket: 'doctor-bucket',
  search: 'doctor-search',
  port: 'doctor-port',
  unit: 'doctor-unit',
  settings: 'doctor-settings',
  pages: 'doctor-pages',
} as const

/** The result of one check. `ok` false: something needs fixing. */
export type Finding = { check: keyof typeof doctorParagraphs; ok: boolean; says: string }

/** A finding in one line; a problem with the place that says what to do. */
export function lineOf({ check, ok, says }: Finding): string {
  const line = `${ok ? 'ok     ' : 'PROBLEM'} ${check.padEnd(11)} ${says}`
  return ok ? line : `${line} → docs/operating.md#${doctorParagraphs[check]}`
}
