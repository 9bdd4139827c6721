import { basePath } from '#lib/api/base.ts'

/**
 * Change this name whenever the message format changes, because another tab may still run an older version. The name contains the
 * base path, because servers with different base paths on the same origin have separate sessions.
 */
const name = `postil-session-1 ${basePath()}`

/** The new user of the browser's session, or null. */
type Message = { readonly userId: string | null }

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name)

/** Notifies other tabs about a change to the session, which all tabs of the browser share. */
export const notifyOtherTabs = (userId: string | null): void => channel?.postMessage({ userId } satisfies Message)

export const onOtherTabMessage = (listener: (userId: string | null) => Promise<void>): void =>
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => void listener(data.userId))
