import { AsyncLocalStorage } from 'node:async_hooks'

const ids = new AsyncLocalStorage<string>()

/** Runs the work of a request so that it, and everything it awaits, can find the request's ID. */
export const duringRequest = (id: string, work: () => void): void => ids.run(id, work)

/** ID of the request that is being answered; undefined in background work. */
export const currentRequest = (): string | undefined => ids.getStore()
