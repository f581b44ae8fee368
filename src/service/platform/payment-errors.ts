let count = 0

/** Counts a call of the payment provider that failed or was refused; a declined card is none. */
export function countProviderError(): void {
  count += 1
}

/** Since the start of this process. */
export const providerErrors = (): number => count

let declined = 0

/** Counts an order whose card was declined. */
export function countDecline(): void {
  declined += 1
}

/** Since the start of this process. */
export const declinedCards = (): number => declined
