/** The header that carries a file's metadata as JSON (spec 2.2, 4.3). */
export const metadataHeader = 'X-Service-Metadata'

/**
 * Which version of a transcript an answer has: `original`, `approved; revision=5` or `corrected; revision=7`. In a request
 * `original` asks for that, whatever the account has chosen for programs.
 */
export const transcriptVersionHeader = 'Transcript-Version'
