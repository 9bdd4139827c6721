import { basePath } from '#lib/api/base.ts'

/**
 * Another name whenever the messages change: a page from before may still be open in another tab. Another server at the same origin has
 * sessions of its own.
 */
const name = `postil-session-1 ${basePath()}`

/** Whose session the browser has from now on; null: nobody's. */
type Message = { readonly userId: string | null }

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name)

/** The session is the browser's, whichever tab it came to or went from. */
export const tellOtherTabs = (userId: string | null): void => channel?.postMessage({ userId } satisfies Message)

export const whenOtherTabsTell = (listener: (userId: string | null) => Promise<void>): void =>
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => void listener(data.userId))
