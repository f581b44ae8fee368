/** What is heard for about half a second of a recording's two channels; full scale is 1. Empty where it cannot be told. */
export type Heard = { left: Float32Array; right: Float32Array }

/** A channel leads a step of 50 ms if it is louder by 12 dB; steps fainter than −50 dB are silence. */
const louder = 10 ** (12 / 10)
const faintest = 10 ** (-50 / 10)
export const listenedPlaces = 12
const stepsOfPlace = 10
export const listenedSeconds = stepsOfPlace / 20
const fewestSteps = 20
/** Two people speak at once for at most this share. */
const mostTogether = 0.2

/**
 * Whether two channels are clearly of two speakers, by what is heard at some places of the recording. Stops as soon as it
 * cannot be so any more, which in most stereo is after three places.
 * @param hear listens at a place, from 0 to `listenedPlaces` − 1
 */
export async function hasTwoSpeakers(rate: number, hear: (place: number) => Promise<Heard>): Promise<boolean> {
  const stepFrames = Math.floor(rate / 20)
  let [left, right, both] = [0, 0, 0]
  for (let place = 0; place < listenedPlaces; place += 1) {
    const heard = await hear(place)
    for (let step = 0; step < Math.min(stepsOfPlace, Math.floor(heard.left.length / stepFrames)); step += 1) {
      const [one, other] = [heard.left, heard.right].map((channel) => loudness(channel, step, stepFrames)) as [
        number,
        number,
      ]
      if (Math.max(one, other) < faintest) continue
      if (one > other * louder) left += 1
      else if (other > one * louder) right += 1
      else both += 1
    }
    if (both > mostTogether * listenedPlaces * stepsOfPlace) return false
  }
  const all = left + right + both
  return all >= fewestSteps && both <= mostTogether * all && Math.min(left, right) >= 0.05 * all
}

/** Mean square of a step. */
function loudness(channel: Float32Array, step: number, frames: number): number {
  let sum = 0
  for (let frame = step * frames; frame < (step + 1) * frames; frame += 1) sum += (channel[frame] ?? 0) ** 2
  return sum / frames
}
