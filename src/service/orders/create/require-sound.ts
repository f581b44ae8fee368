import { mostVoices, type OrderSound } from '../../../contract/interface/order-sound.ts'
import type { MediaFacts } from '../../platform/media/probe.ts'
import { ServiceError } from '../../platform/service-error.ts'

/** How many voices of a recording are recognized, one after the other: 1 if not each alone. */
export function countVoices({ audioTracks, channels }: MediaFacts, sound: OrderSound | null): number {
  if (sound !== 'each') return 1
  return audioTracks > 1 ? audioTracks : channels
}

/** @throws ServiceError 400 if a recording lacks the track that is asked for, or has too many to be speakers */
export function requireSound(facts: MediaFacts, sound: OrderSound | null): void {
  if (sound === null) return
  const { audioTracks, channels } = facts
  const tracks = audioTracks === 1 ? 'one sound track' : `${audioTracks} sound tracks`
  if (sound !== 'each' && Number(sound) > audioTracks) {
    throw new ServiceError(400, `The recording has ${tracks}: Order-Sound cannot be ${sound}. Nothing was charged.`)
  }
  if (countVoices(facts, sound) > mostVoices) {
    const of = audioTracks > 1 ? tracks : `${channels} channels`
    throw new ServiceError(400, `The recording has ${of}. At most ${mostVoices} can be speakers. Nothing was charged.`)
  }
}
