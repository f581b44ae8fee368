import { type Environment, environments } from '../../../contract/interface/environment.ts'
import { getSession, onSessionChange, signIn, signOut } from './session.ts'
import { type SessionMessage, sessionChannel, sessionWaitMs } from './session-channel.ts'

/*
 * A new tab gets the session of an open one, over a channel that only pages of this origin hear. Nothing is stored: once
 * the last tab is closed, the key is gone.
 */

/** Continues the session of another open tab, if one answers. */
export function joinSession(environment: Environment): Promise<void> {
  const channel = new BroadcastChannel(sessionChannel)
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      channel.close()
      resolve()
    }
    const timer = setTimeout(end, sessionWaitMs)
    channel.onmessage = ({ data }: MessageEvent<SessionMessage>) => {
      if (!('has' in data) || data.has.environment !== environment) return
      signIn(data.has, false)
      end()
    }
    channel.postMessage({ asks: environment } satisfies SessionMessage)
  })
}

/** Answers new tabs, and ends sessions in all tabs that have the key. Returns a function that stops. */
export function shareSessions(): () => void {
  const channel = new BroadcastChannel(sessionChannel)
  const send = (message: SessionMessage) => channel.postMessage(message)
  channel.onmessage = ({ data }: MessageEvent<SessionMessage>) => {
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
