import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { Place } from './server.ts'
import { environment } from './server.ts'

const program = join(import.meta.dirname, '..', '..', 'apps', 'server', 'dist', 'main.js')

export type CliResult = { readonly code: number; readonly stdout: string; readonly stderr: string }

type Running = { readonly ended: Promise<CliResult>; readonly kill: (signal?: NodeJS.Signals) => void }

/** Starts a `postil` command on the data of a server. The command has no terminal. */
export const startPostil = (place: Place, args: readonly string[], env: { readonly [name: string]: string } = {}): Running => {
  let kill: Running['kill'] = () => undefined
  const ended = new Promise<CliResult>((done) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      // A slow machine must not add warnings to the output.
      { env: environment(place, { POSTIL_SLOW_MS: '0', ...env }), cwd: place.dataDir },
      (error, stdout, stderr) => {
        done({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr })
      },
    )
    child.stdin?.end()
    kill = (signal = 'SIGKILL') => void child.kill(signal)
  })
  return { ended, kill }
}

/** Runs a command until it ends. */
export const postil = (
  place: Place,
  args: readonly string[],
  env: { readonly [name: string]: string } = {},
): Promise<CliResult> => startPostil(place, args, env).ended
