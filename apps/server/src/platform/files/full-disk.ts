import { unavailable } from '@postil/contract/wire/errors.ts'

/** How messages of the system begin that say so; they name no folder, and a thread passes on nothing else of them. */
const FULL = /^(ENOSPC|EDQUOT):/
const RETRY_SECONDS = 10

/** For `catch`: tells whose disk is full, to who asked and in the log. @param folder as people know it. @throws Problem unavailable, or the error */
export const tellFull =
  (folder: string) =>
  (error: unknown): never => {
    if (!(error instanceof Error && FULL.test(error.message))) throw error
    throw unavailable(`The disk of ${folder} is full; try again when there is room`, RETRY_SECONDS)
  }

export const uploadsFull = tellFull('the folder for uploads')
