import { AsyncLocalStorage } from 'node:async_hooks'

const ids = new AsyncLocalStorage<string>()

/** Runs what belongs to a request, and all that it waits for, so that it knows for which one it works. */
export const duringRequest = (id: string, work: () => void): void => ids.run(id, work)

/** Id of the request that is being answered; undefined for work in the background. */
export const currentRequest = (): string | undefined => ids.getStore()
