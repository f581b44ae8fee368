import { type Environment, environments } from '../../../contract/interface/environment.ts'
import type { Session } from '../../base/api/client.ts'
import { getSession, onSessionChange, signIn, signOut } from './session.ts'

/*
 * A new tab gets the session of an open one, over a channel that only pages of this origin hear. Nothing is stored: once
 * the last tab is closed, the key is gone.
 */
const channelName = 'parley-session'

/** `asks`: a new tab has no session; `has`: the answer; `ended`: somebody has signed out. */
type Message = { asks: Environment } | { has: Session } | { ended: Session }

/** Open tabs answer within this time; without one, sign-in comes so much later. Milliseconds. */
const waitMs = 250

/** Continues the session of another open tab, if one answers. */
export function joinSession(environment: Environment): Promise<void> {
  const channel = new BroadcastChannel(channelName)
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      channel.close()
      resolve()
    }
    const timer = setTimeout(end, waitMs)
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (!('has' in data) || data.has.environment !== environment) return
      signIn(data.has, false)
      end()
    }
    channel.postMessage({ asks: environment } satisfies Message)
  })
}

/** Answers new tabs, and ends sessions in all tabs that have the key. Returns a function that stops. */
export function shareSessions(): () => void {
  const channel = new BroadcastChannel(channelName)
  const send = (message: Message) => channel.postMessage(message)
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ('ended' in data && getSession(data.ended.environment)?.key === data.ended.key) signOut(data.ended.environment)
    const session = 'asks' in data ? getSession(data.asks) : null
    if (session !== null) send({ has: session })
  }
  let known = environments.map(getSession)
  const stop = onSessionChange(() => {
    const before = known
    known = environments.map(getSession)
    for (const [place, session] of before.entries()) {
      if (session !== null && known[place] === null) send({ ended: session })
    }
  })
  return () => {
    stop()
    channel.close()
  }
}
