import { ApiError } from '#lib/api/api-error.ts'
import { loadWithStyles } from './missing-styles.ts'
import { isReachable } from './reachable.ts'
import { willReload } from './stale-files.ts'

/**
 * Matches the messages of the errors that browsers and the build's loader throw if a file fails to load. If a script loads and
 * then throws an error, the message comes from the script and doesn't match.
 */
const loadErrorMessage = /dynamically imported module|importing a module script|preload css/i

/** How long a file may take to load, in milliseconds. If it takes longer, the web app checks whether the server is reachable. */
const hangTimeout = 10_000

/**
 * Waits for a file, no matter how slowly it loads. If the server has stopped responding, the browser doesn't report it. In that
 * case, this function rejects.
 */
const rejectWhenHung = <T>(loading: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    let isDone = false
    let timer: ReturnType<typeof setTimeout>
    const wait = (): void => {
      timer = setTimeout(async () => {
        const isServerUp = await isReachable()
        if (isDone) return
        if (isServerUp) wait()
        else reject(new ApiError(0, undefined))
      }, hangTimeout)
    }
    const finish = (): void => {
      isDone = true
      clearTimeout(timer)
    }
    wait()
    loading.finally(finish).then(resolve, reject)
  })

/**
 * Loads code or messages on demand.
 * @throws ApiError with status 0 if they can't be loaded, so that the failure is reported and retried like a failed data
 * request
 */
export const loadFile = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await rejectWhenHung(loadWithStyles(load))
  } catch (error) {
    if (!(error instanceof Error && loadErrorMessage.test(error.message))) throw error
    // The web app is about to reload, so this promise never resolves.
    if (await willReload()) await new Promise<never>(() => {})
    throw new ApiError(0, undefined)
  }
}
