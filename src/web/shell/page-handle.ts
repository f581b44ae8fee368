/**
 * What a route may say about its page: `rail` leaves the width to the page (icons instead of the sidebar, only the page on
 * a phone); `panel`: it has a panel at the right, and in narrow windows a bar at the bottom; `title` is its part of the
 * document's title.
 */
export type PageHandle = { rail?: boolean; panel?: boolean; title?: string }
