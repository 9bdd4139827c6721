import { ApiError } from '#lib/api/api-error.ts'
import { loadWithStyles } from './missing-styles.ts'
import { isLoadedAgain } from './stale-files.ts'

/** What browsers, and the loader of the build, say of a file that did not arrive; a script that arrived and failed says its own. */
const didNotArrive = /dynamically imported module|importing a module script|preload css/i

/**
 * Code or texts that come when they are needed.
 * @throws ApiError with status 0 when they do not arrive: the same as for data, so that it is told and tried again in the same way
 */
export const loadFile = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await loadWithStyles(load)
  } catch (error) {
    if (!(error instanceof Error && didNotArrive.test(error.message))) throw error
    // Whoever waits is about to go.
    if (await isLoadedAgain()) await new Promise<never>(() => {})
    throw new ApiError(0, undefined)
  }
}
