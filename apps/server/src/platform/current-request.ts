import { AsyncLocalStorage } from 'node:async_hooks'

const ids = new AsyncLocalStorage<string>()

/** Runs a request's work so that it, and everything it awaits, can find the request's ID. */
export const duringRequest = (id: string, work: () => void): void => ids.run(id, work)

/** ID of the current request; undefined in background work. */
export const currentRequest = (): string | undefined => ids.getStore()
