/** The header that carries a file's metadata as JSON (spec 2.2, 4.3). */
export const metadataHeader = 'X-Service-Metadata'

/** On every answer: its id in the service's log, for support. */
export const requestIdHeader = 'Request-Id'

/** On a 400 because of `Max-Total-Cents` (decision 87): what the order would cost, and its length in milliseconds. */
export const orderTotalHeader = 'Order-Total-Cents'
export const orderDurationHeader = 'Order-Duration-Ms'

/** On a 409 because of `Max-Top-Up-Cents` (decision 149): what the card would pay in for the order. */
export const orderTopUpHeader = 'Order-Top-Up-Cents'

/** On a 409 because of `Known-Recording: refuse`: the file that the account has of the same recording. */
export const knownFileHeader = 'Known-File'

/** On a 201 for a manual order that nobody types at present (decision 145): so, in words. */
export const orderWarningHeader = 'Order-Warning'

/** Of a deletion: what it refunds; on a 409 because of `Min-Refund-Cents` (decision 155), what it would refund. */
export const refundHeader = 'Refund-Cents'

/** On a 402 because the bank asks the cardholder to confirm (decision 136): the page that leads to it. */
export const paymentPageHeader = 'Payment-Page'

/**
 * The version of a transcript in a response: `original`, `approved; revision=5` or `corrected; revision=7`. In a
 * request, `original` overrides the account's choice for API clients.
 */
export const transcriptVersionHeader = 'Transcript-Version'
