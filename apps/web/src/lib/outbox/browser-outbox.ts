import { endSession } from '#lib/api/client.ts'
import { openDevice } from './device.ts'
import { httpTransport } from './http-transport.ts'
import type { Channel } from './outbox.ts'
import { createOutbox, wouldLose } from './outbox.ts'
import type { Device } from './unfailing.ts'

const name = 'postil-outbox'
/** Another name whenever the messages change: a page from before may still be open in another tab. */
const channelName = `${name}-2`

/** One sender per browser. Where there are no locks (plain http from another machine), the names of the changes keep repeats harmless. */
const alone = async (work: () => Promise<void>): Promise<void> => {
  if ('locks' in navigator) await navigator.locks.request(name, work)
  else await work()
}

const tabs = (): Channel => {
  if (typeof BroadcastChannel === 'undefined') return { post: () => {}, listen: () => {} }
  const channel = new BroadcastChannel(channelName)
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => channel.addEventListener('message', (event) => listener(event.data)),
  }
}

let opened: Promise<Device> | null = null

/** The storage of this browser, opened at the first use. */
export const device = (): Promise<Device> => {
  opened ??= openDevice()
  return opened
}

/** The outbox of this browser tab. The application starts it at sign-in and stops it at sign-out. */
export const outbox = createOutbox({
  device: device(),
  transport: httpTransport,
  alone,
  channel: tabs(),
  // It asks who is there only where it has something to send.
  onSignedOut: () => endSession({ hasUnsent: true }),
})

const askFirst = (event: BeforeUnloadEvent): void => event.preventDefault()
/** The browser asks before it closes the tab, in the moment in which that would lose an answer or edits and never otherwise. */
outbox.subscribe(() => {
  if (wouldLose(outbox.snapshot())) window.addEventListener('beforeunload', askFirst)
  else window.removeEventListener('beforeunload', askFirst)
})

window.addEventListener('online', outbox.wake)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') outbox.wake()
})
