import { existsSync, rmSync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { CommandError, UsageError } from '../command.ts'
import { removeOnSignal } from '../signals.ts'

/**
 * Returns the path of a file to write.
 * @throws UsageError for '-', which other commands accept as standard output; CommandError if the folder is missing, the path
 * is a folder, or the file exists and must not be replaced
 */
export const checkNewFile = (given: string, force: boolean): string => {
  if (given === '-') throw new UsageError("'-' is not supported here: the output must be written to a file. Give a file name.")
  const path = resolve(given)
  if (!existsSync(dirname(path))) throw new CommandError(`The folder ${dirname(path)} does not exist.`)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new CommandError(`${path} is a folder. Give a file name.`)
  if (!force && existsSync(path)) throw new CommandError(`The file ${path} already exists. Use --force to replace it.`)
  return path
}

/** Error messages for a full disk, from the system or from SQLite while it writes a copy. */
const FULL = /^(ENOSPC|EDQUOT):|^database or disk is full/

/** A `catch` handler that says which disk is full. @throws CommandError for a full disk, otherwise the original error */
export const asNoSpaceError =
  (path: string) =>
  (error: unknown): never => {
    if (!(error instanceof Error && FULL.test(error.message))) throw error
    throw new CommandError(`The disk that holds ${dirname(path)} is full: ${path} was not written.`)
  }

/**
 * Writes chunks under a temporary name and renames the file once they are all on disk, so that an interrupted write never looks
 * complete.
 * @returns the number of bytes
 */
export const writeFileAtomically = async (path: string, chunks: AsyncIterable<Uint8Array>, force: boolean): Promise<number> => {
  const draft = `${path}.part`
  const done = removeOnSignal(() => rmSync(draft, { force: true }))
  const handle = await open(draft, 'w')
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      await handle.writeFile(chunk)
      bytes += chunk.length
    }
    await handle.sync()
    await handle.close()
    await rename(draft, checkNewFile(path, force))
  } catch (error) {
    await handle.close().catch(() => undefined)
    await rm(draft, { force: true })
    throw error
  } finally {
    done()
  }
  return bytes
}

/** Writes chunks to standard output with backpressure. */
export const writeToStdout = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const chunk of chunks) {
    await new Promise<void>((done, fail) => {
      process.stdout.write(chunk, (error) => {
        if (error) fail(new CommandError(`Standard output was closed before all data was written: ${error.message}.`))
        else done()
      })
    })
  }
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** A human-readable size in decimal units. */
export const sizeOf = (bytes: number): string => {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1)
  return `${step === 0 ? bytes : (bytes / 1000 ** step).toFixed(1)} ${UNITS[step]}`
}
