import { endSession } from '#lib/api/client.ts'
import { openDevice } from './device.ts'
import { httpTransport } from './http-transport.ts'
import type { Channel } from './outbox.ts'
import { createOutbox, wouldLoseAnswers } from './outbox.ts'
import type { Device } from './with-memory-fallback.ts'

const name = 'postil-outbox'
/** Change the suffix whenever the message format changes, because another tab may run an older release. */
const channelName = `${name}-2`

/**
 * Runs the outbox's sender in only one tab of the browser at a time. Without the Locks API (plain HTTP from another machine),
 * every tab runs a sender. Answers that are sent twice are harmless, because they have mutation IDs.
 */
const runExclusively = async (work: () => Promise<void>): Promise<void> => {
  if ('locks' in navigator) await navigator.locks.request(name, work)
  else await work()
}

const otherTabs = (): Channel => {
  if (typeof BroadcastChannel === 'undefined') return { post: () => {}, listen: () => {} }
  const channel = new BroadcastChannel(channelName)
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => channel.addEventListener('message', (event) => listener(event.data)),
  }
}

let opened: Promise<Device> | null = null

/** The browser's storage, opened on first use. */
export const device = (): Promise<Device> => {
  opened ??= openDevice()
  return opened
}

/** This tab's outbox. The web app starts it at sign-in and stops it at sign-out. */
export const outbox = createOutbox({
  device: device(),
  transport: httpTransport,
  runExclusively,
  channel: otherTabs(),
  // The sender checks the session only when it has answers to send. If it reports a sign-out, there are therefore unsent answers.
  onSignedOut: () => endSession({ hasUnsent: true }),
})

const preventUnload = (event: BeforeUnloadEvent): void => event.preventDefault()
/** The browser asks before it closes the tab if closing it would lose an answer or edits. */
outbox.subscribe(() => {
  if (wouldLoseAnswers(outbox.snapshot())) window.addEventListener('beforeunload', preventUnload)
  else window.removeEventListener('beforeunload', preventUnload)
})

window.addEventListener('online', outbox.wake)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') outbox.wake()
})
