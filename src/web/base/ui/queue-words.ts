import type { QueuePlace } from '../../../contract/account/queue.ts'
import { roughLength } from './duration.ts'
import { countOf } from './sizes.ts'

/** `about 12 min, 3 orders before yours` */
export function queueWords({ about_seconds: seconds, orders_before: orders }: NonNullable<QueuePlace>): string {
  return `about ${roughLength(seconds)}, ${orders === 0 ? 'no order' : countOf(orders, 'order')} before yours`
}
