/** The id of the element that was drawn before the page's code was here. */
export const sightId = 'first-sight'

/** True while it is on screen: what replaces it should show as much. */
export function firstSightStands(): boolean {
  return document.getElementById(sightId) !== null
}
