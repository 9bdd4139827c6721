import { flushSync } from 'react-dom'
import type { Shared } from '../define.ts'

/** A request from the question in the form to the list of turns: handle a key, or focus the next turn without a label. */
export type TurnsRequest = { readonly kind: 'key'; readonly key: string } | { readonly kind: 'next' }

const pendingIn = (shared: Shared): readonly TurnsRequest[] => (shared.get() as readonly TurnsRequest[] | undefined) ?? []

/** Sends a request to the list of turns. If the list isn't on the screen yet, it handles the request later. */
export const sendRequest = (shared: Shared, request: TurnsRequest): void => shared.set([...pendingIn(shared), request])

/**
 * Calls `handle` for each request, including earlier requests that are still pending. Returns a function that stops the calls.
 * @param handle must use the values of the latest render, because a request can depend on the result of the previous request
 */
export const onRequest = (shared: Shared, handle: (request: TurnsRequest) => void): (() => void) => {
  const takeFirst = (): TurnsRequest | undefined => {
    const [first, ...others] = pendingIn(shared)
    if (first !== undefined) shared.set(others)
    return first
  }
  let isHandling = false
  const handleNext = (): void => {
    if (isHandling) return
    isHandling = true
    const request = takeFirst()
    if (request !== undefined) handle(request)
    isHandling = false
  }
  // Each key must apply to the result of the previous key. The changes made by a key are therefore rendered before the next key
  // is handled.
  const timer = setTimeout(() => {
    while (pendingIn(shared).length > 0) flushSync(handleNext)
  })
  const stop = shared.subscribe(handleNext)
  return () => {
    clearTimeout(timer)
    stop()
  }
}
