import { closeSync, constants, existsSync, fstatSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { newPassword } from '#platform/auth/credentials.ts'
import { CommandError } from '../command.ts'

/**
 * A file of generated passwords. Only the file's owner can read it. Each line is a JSON object with `username` and `password`.
 */
export type PasswordFile = {
  readonly path: string
  readonly passwordOf: (username: string) => Promise<string>
  /** Number of passwords added. */
  readonly added: () => number
}

const PRIVATE_MODE = 0o600

const readLines = (path: string): Map<string, string> => {
  const known = new Map<string, string>()
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    try {
      const { username, password } = JSON.parse(line) as { username?: unknown; password?: unknown }
      if (typeof username === 'string' && typeof password === 'string') known.set(username, password)
    } catch {
      // If the process was killed, the last line may be incomplete. The user on that line has not been created.
    }
  }
  return known
}

/** @throws CommandError if others can read the file or the path is not a file */
const openPrivate = (path: string): number => {
  const handle = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, PRIVATE_MODE)
  const found = fstatSync(handle)
  if (found.isFile() && (found.mode & 0o077) === 0) return handle
  closeSync(handle)
  throw new CommandError(
    `Passwords were not written to ${path}, because other users can read it or it is not a regular file. Choose another file with --passwords.`,
  )
}

const opened = (path: string): number => {
  try {
    return openPrivate(path)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`Cannot write passwords to ${path}: ${(error as Error).message}.`)
  }
}

/** Creates the file when the first password is needed. A password is on disk before its user is created. */
export const passwordFile = (path: string): PasswordFile => {
  let known: Map<string, string> | null = null
  let added = 0
  const write = (username: string): string => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const handle = opened(path)
    try {
      const password = newPassword()
      const cut = existsSync(path) && !/(^|\n)$/.test(readFileSync(path, 'utf8'))
      writeSync(handle, `${cut ? '\n' : ''}${JSON.stringify({ username, password })}\n`)
      fsyncSync(handle)
      return password
    } finally {
      closeSync(handle)
    }
  }
  return {
    path,
    added: () => added,
    passwordOf: async (username) => {
      known ??= existsSync(path) ? readLines(path) : new Map()
      const existingPassword = known.get(username)
      if (existingPassword !== undefined) return existingPassword
      const password = write(username)
      known.set(username, password)
      added += 1
      return password
    },
  }
}
