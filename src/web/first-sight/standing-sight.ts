/** The element of what was drawn before the page's code was here. */
export const sightId = 'first-sight'

/** True while that is on screen: whatever takes its place should have as much to show. */
export function firstSightStands(): boolean {
  return document.getElementById(sightId) !== null
}
