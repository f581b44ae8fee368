/**
 * Classes of text in a long list that is truncated with an ellipsis. It is `relative`, since elements that clip and are
 * not positioned make the browser repaint all rows while the list scrolls.
 */
export const cutClass = 'relative truncate'
