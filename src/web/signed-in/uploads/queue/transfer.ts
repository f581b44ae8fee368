import type { Upload, UploadState } from '../tray/upload.ts'
import { bytesPerSecond, measure, type SpeedMeter, secondsLeft, startMeter } from './speed.ts'

/** After this long without a byte the upload is shown as stalled; it is never aborted for that. */
const stalledAfterMs = 30_000

/** Browsers report progress about every 100 ms; bytes sent since the last report are unknown. */
const unseenMs = 300
/** Assumed maximum of unreported bytes before the speed is known. */
const unseenBytesAtLeast = 16_000_000
const speedKnownAfterMs = 1_000

/** State of one running attempt. */
export type Transfer = {
  readonly totalBytes: number
  readonly sentBytes: number
  readonly startedAt: number
  readonly movedAt: number
  readonly meter: SpeedMeter
  /** the browser has reported that everything is sent */
  readonly isSent: boolean
}

export function startTransfer(now: number, totalBytes: number): Transfer {
  return { totalBytes, sentBytes: 0, startedAt: now, movedAt: now, meter: startMeter(now, 0), isSent: false }
}

/** After `sentBytes` bytes in total; also called without progress, so that the speed drops in a stall. */
export function progress(transfer: Transfer, now: number, sentBytes: number): Transfer {
  const isFirst = transfer.sentBytes === 0 && sentBytes > 0
  // A resumed upload starts with bytes the service already has: they do not count towards the speed.
  const isJump = isFirst && sentBytes > unseenBytesAtLeast && now - transfer.movedAt < 50
  return {
    ...transfer,
    sentBytes,
    movedAt: sentBytes > transfer.sentBytes ? now : transfer.movedAt,
    meter: isJump ? startMeter(now, sentBytes) : measure(transfer.meter, now, sentBytes),
  }
}

/** The state as shown to the customer. */
export function sendingState(transfer: Transfer, now: number): UploadState {
  const stalled = now - transfer.movedAt >= stalledAfterMs
  return {
    is: 'sending',
    sentBytes: transfer.sentBytes,
    bytesPerSecond: bytesPerSecond(transfer.meter),
    secondsLeft: stalled ? null : secondsLeft(transfer.meter, transfer.totalBytes),
    stalled,
  }
}

/** The state as shown, and what the service holds if it can resume, which changes by at least a percent at a time. */
export function shownProgress({ resumeUrl, bytes, heldBytes = 0 }: Upload, transfer: Transfer, now: number) {
  const { sentBytes } = transfer
  const isHeld = resumeUrl !== null && sentBytes - heldBytes >= bytes / 100
  return { state: sendingState(transfer, now), heldBytes: isHeld ? sentBytes : heldBytes }
}

/**
 * True if a connection that broke now may have carried the last byte, so that the order may exist. Only a large
 * remainder, at the current speed, rules that out.
 */
export function mayHaveArrived(transfer: Transfer): boolean {
  if (transfer.isSent) return true
  const speed = bytesPerSecond(transfer.meter) ?? 0
  const isSpeedKnown = transfer.movedAt - transfer.startedAt >= speedKnownAfterMs
  const unseen = Math.max((speed * unseenMs) / 1_000, isSpeedKnown ? 0 : unseenBytesAtLeast)
  return transfer.totalBytes - transfer.sentBytes <= unseen
}
