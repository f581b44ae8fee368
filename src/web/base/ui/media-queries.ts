/** Phones: rows become cards, and the navigation a bar at the bottom. The same breakpoint as the `phone:` variant. */
export const phoneQuery = '(width < 48rem)'
/** Windows without room for the labels of the sidebar. */
export const railQuery = '(width < 72rem)'
