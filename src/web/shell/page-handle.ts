/**
 * What a route may say about its page: `rail` leaves the width to the page (icons instead of the sidebar, nothing but
 * the page on a phone); `panel` stands at the right, and in narrow windows leaves a bar at the bottom; `title` is its part
 * of the document's title.
 */
export type PageHandle = { rail?: boolean; panel?: boolean; title?: string }
