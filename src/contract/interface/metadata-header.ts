/** The header that carries a file's metadata as JSON (spec 2.2, 4.3). */
export const metadataHeader = 'X-Service-Metadata'
