/**
 * Truncates text in a long list with an ellipsis. It is `relative`, since clipping elements that are not positioned
 * make the browser repaint all rows while the list scrolls.
 */
export const cutClass = 'relative truncate'
