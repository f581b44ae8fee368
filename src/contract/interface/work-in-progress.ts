/**
 * The notice block that a work-in-progress text starts with (spec 2.5): the transcript is incomplete, and how. The
 * separator line ends it.
 */
export const workInProgressNotice = [
  'WORK IN PROGRESS',
  'This transcript is incomplete. Sections may be missing, and there may be more mistakes,',
  'blanks and speaker inconsistencies than in the finished transcript.',
].join('\n')

export const separatorLine = '-'.repeat(80)
