import {
  ButtonEvent,
  type DictationDevice,
  DictationDeviceManager,
  FootControlDevice,
  ImplementationType,
} from 'dictation_support'
import type { PedalActions } from './pedal-actions.ts'

/** Infinity IN-USB, of which the library knows nothing; its switches are in the same bits as those of Philips' pedals. */
const infinity = { vendorId: 0x05f3, productId: 0x00ff }
/** Philips and Nuance: of theirs the library tells by itself which it knows. */
const makers = [{ vendorId: 0x0911 }, { vendorId: 0x0554 }]

function isInfinity({ vendorId, productId }: HIDDevice): boolean {
  return vendorId === infinity.vendorId && productId === infinity.productId
}

class PedalManager extends DictationDeviceManager {
  protected override async createDevice(device: HIDDevice): Promise<DictationDevice | undefined> {
    if (!isInfinity(device) || this.devices.has(device)) return super.createDevice(device)
    return FootControlDevice.create(device)
  }

  /** Has the person choose. @returns how many were chosen, and how many of these are known here */
  async choose(): Promise<{ chosen: number; known: number }> {
    const chosen = await this.hidApi.requestDevice({ filters: [infinity, ...makers] })
    await this.createAndAddInitializedDevices(chosen)
    return { chosen: chosen.length, known: chosen.filter((device) => this.devices.has(device)).length }
  }

  get names(): string[] {
    return this.getDevices().map(({ hidDevice }) => hidDevice.productName || 'A pedal without a name')
  }
}

export type Pedals = { names: () => string[]; choose: PedalManager['choose']; close: () => Promise<void> }

/** Listens to the pedals that this browser may use, and to those plugged in later. @param onChange one came or went */
export async function openPedals(hid: HID, actions: PedalActions, onChange: () => void): Promise<Pedals> {
  const manager = new PedalManager(hid)
  manager.addButtonEventListener(({ implType }, bits) => {
    const isDown = (button: ButtonEvent) => (bits & button) !== 0
    const state = {
      rewind: isDown(ButtonEvent.REWIND),
      play: isDown(ButtonEvent.PLAY),
      forward: isDown(ButtonEvent.FORWARD),
    }
    actions.take(state, implType === ImplementationType.FOOT_CONTROL ? 'held' : 'pressed')
  })
  manager.addDeviceConnectedEventListener(onChange)
  // The manager forgets the device only after it has told of it.
  manager.addDeviceDisconnectedEventListener(() => {
    actions.release()
    setTimeout(onChange)
  })
  await manager.init()
  const close = async () => {
    await manager.shutdown()
    actions.release()
  }
  return { names: () => manager.names, choose: () => manager.choose(), close }
}
