import type { Shared } from '../define.ts'

/** What the question in the form asks the turns to do: to handle a key, or to focus the next turn without a label. */
export type TurnsRequest = { readonly kind: 'key'; readonly key: string } | { readonly kind: 'next' }

export const sendRequest = (shared: Shared, request: TurnsRequest): void => shared.set(request)

/** Calls `handle` for each request. Returns a function that stops this. */
export const onRequest = (shared: Shared, handle: (request: TurnsRequest) => void): (() => void) =>
  shared.subscribe(() => {
    const request = shared.get() as TurnsRequest | undefined
    if (request === undefined) return
    shared.set(undefined)
    handle(request)
  })
