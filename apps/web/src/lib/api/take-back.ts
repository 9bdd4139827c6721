import { nextChance } from '#lib/net/next-chance.ts'
import { ApiError } from './api-error.ts'

/** The server has not heard of it, or could not do it now. */
const mayWorkLater = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 500)

/**
 * Undoes what was begun and could not be finished: at once, or as soon as the server can be reached again. Resolves after the first try
 * and never rejects.
 * @param done is called when it is undone
 */
export const takeBack = async (undo: () => Promise<unknown>, done?: () => void, chance = nextChance): Promise<void> => {
  try {
    await undo()
    done?.()
  } catch (error) {
    if (mayWorkLater(error)) void chance().then(() => takeBack(undo, done, chance))
  }
}
