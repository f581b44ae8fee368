/** Below this the rows become cards and the pages a bar at the bottom; the same edge as the `phone:` variant. */
export const phoneQuery = '(width < 48rem)'
/** Below this there is no room for the sidebar's words. */
export const railQuery = '(width < 72rem)'
