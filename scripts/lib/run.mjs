/** Helpers for child processes that the scripts share. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')
export const cache = join(root, '.cache')

/** An error that ends the script with one sentence, which tells the user what to do. */
export class UserError extends Error {
  name = 'UserError'
}

const running = new Set()

/** Terminates the running children of `run`. Called when the script receives a signal to end. */
export const endChildren = () => {
  for (const child of running) child.kill('SIGTERM')
}

/**
 * Runs a program without a shell, so that folders with spaces and any login shell work. With `quiet`, the output is kept for the
 * error message. Otherwise, it goes to `onLine` or to the terminal.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean, onLine?: (line: string) => void, input?: string, uid?: number,
 * gid?: number}} [options]
 * @returns {Promise<{code: number, output: string}>}
 */
export const run = (command, args, { cwd = root, env = process.env, quiet = false, onLine, input, uid, gid } = {}) =>
  new Promise((done, fail) => {
    const piped = quiet || onLine !== undefined
    const child = spawn(command, args, {
      cwd,
      env,
      ...(uid === undefined ? {} : { uid, gid }),
      stdio: [input === undefined ? 'ignore' : 'pipe', piped ? 'pipe' : 'inherit', piped ? 'pipe' : 'inherit'],
    })
    running.add(child)
    let output = ''
    let rest = ''
    const take = (chunk) => {
      output += chunk
      if (!onLine) return
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line)
    }
    child.stdout?.setEncoding('utf8').on('data', take)
    child.stderr?.setEncoding('utf8').on('data', take)
    child.stdin?.end(input)
    child.on('error', fail)
    child.on('close', (code, by) => {
      running.delete(child)
      if (rest && onLine) onLine(rest)
      done({ code: code ?? (by ? 128 : 1), output })
    })
  })

/**
 * Like `run`, but throws with the end of the output if the program fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export const runOrThrow = async (command, args, options = {}) => {
  const result = await run(command, args, { quiet: true, ...options })
  if (result.code !== 0)
    throw new Error(`${command} ${args.join(' ')} exited with code ${result.code}\n${result.output.slice(-4000)}`)
  return result.output
}

/** The full path of a program on PATH, or null. */
export const which = (name) => {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder && existsSync(join(folder, name))) return join(folder, name)
  }
  return null
}

export const isRoot = () => process.getuid?.() === 0

/** Whether a process with this ID exists. */
export const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms))

/** Runs a script's main function. Prints only the message of a `UserError`, and other errors with their stack. */
export const runMain = async (main) => {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error)
    process.exitCode = 1
  }
}
