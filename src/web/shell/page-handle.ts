/**
 * What a route may say about its page: `rail` leaves the width to the page (icons instead of the sidebar, nothing but
 * the page on a phone); `bar` has a bar of its own at the bottom of narrow windows; `title` is its part of the document's
 * title.
 */
export type PageHandle = { rail?: boolean; bar?: boolean; title?: string }
