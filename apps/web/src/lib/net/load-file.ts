import { ApiError } from '#lib/api/api-error.ts'
import { loadWithStyles } from './missing-styles.ts'
import { isReachable } from './reachable.ts'
import { isLoadedAgain } from './stale-files.ts'

/** What browsers, and the loader of the build, say of a file that did not arrive; a script that arrived and failed says its own. */
const didNotArrive = /dynamically imported module|importing a module script|preload css/i

/** How long a file may take before the server is asked whether it is there, in milliseconds. */
const patience = 10_000

/** Waits for a file however slowly it comes, but not for a server that has stopped answering, of which the browser says nothing. */
const unlessHung = <T>(loading: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    let isDone = false
    let timer: ReturnType<typeof setTimeout>
    const wait = (): void => {
      timer = setTimeout(async () => {
        const isThere = await isReachable()
        if (isDone) return
        if (isThere) wait()
        else reject(new ApiError(0, undefined))
      }, patience)
    }
    const end = (): void => {
      isDone = true
      clearTimeout(timer)
    }
    wait()
    loading.finally(end).then(resolve, reject)
  })

/**
 * Code or texts that come when they are needed.
 * @throws ApiError with status 0 when they do not arrive: the same as for data, so that it is told and tried again in the same way
 */
export const loadFile = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await unlessHung(loadWithStyles(load))
  } catch (error) {
    if (!(error instanceof Error && didNotArrive.test(error.message))) throw error
    // Whoever waits is about to go.
    if (await isLoadedAgain()) await new Promise<never>(() => {})
    throw new ApiError(0, undefined)
  }
}
