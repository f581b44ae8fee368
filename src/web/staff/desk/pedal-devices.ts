import {
  ButtonEvent,
  type DictationDevice,
  DictationDeviceManager,
  FootControlDevice,
  ImplementationType,
} from 'dictation_support'
import type { PedalActions } from './pedal-actions.ts'

/** Infinity IN-USB, which the library does not know; its switches use the same bits as those of Philips pedals. */
const infinity = { vendorId: 0x05f3, productId: 0x00ff }
/** Philips and Nuance: the library itself recognizes their devices. */
const makers = [{ vendorId: 0x0911 }, { vendorId: 0x0554 }]

function isInfinity({ vendorId, productId }: HIDDevice): boolean {
  return vendorId === infinity.vendorId && productId === infinity.productId
}

class PedalManager extends DictationDeviceManager {
  protected override async createDevice(device: HIDDevice): Promise<DictationDevice | undefined> {
    if (!isInfinity(device) || this.devices.has(device)) return super.createDevice(device)
    return FootControlDevice.create(device)
  }

  /** Shows the browser's device chooser. @returns the number of chosen devices, and how many of them are supported */
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

/** Listens to the permitted pedals, including those plugged in later. @param onChange called when one comes or goes */
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
  // The manager forgets the device only after reporting its removal.
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
