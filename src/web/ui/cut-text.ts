/**
 * The look of text in a long list that is cut off where it has no room. It is placed, since elements that clip and are
 * not placed have all rows painted anew while the list scrolls.
 */
export const cutClass = 'relative truncate'
