import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

export type SupervisedProcess = {
  /** The ID of the current process. */
  readonly pid: () => number
  /** How often the program was restarted. */
  readonly restarts: () => number
  /** Ends the program and stops restarting it. */
  readonly stop: () => Promise<void>
}
type Program = {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly cwd: string
  readonly uid?: number
  readonly gid?: number
  readonly onOutput: (text: string) => void
}

const RESTART_MS = 1000

/** Runs a program and restarts it when it ends, as a service manager does. */
export const supervise = ({ command, args, onOutput, ...options }: Program): SupervisedProcess => {
  let child: ChildProcess
  let restarts = 0
  let stopping = false
  const start = (): void => {
    child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout?.setEncoding('utf8').on('data', onOutput)
    child.stderr?.setEncoding('utf8').on('data', onOutput)
    child.once('error', (error) => onOutput(`${error.message}\n`))
    child.once('exit', async () => {
      if (stopping) return
      await pause(RESTART_MS)
      if (stopping) return
      restarts += 1
      start()
    })
  }
  start()
  return {
    pid: () => child.pid ?? 0,
    restarts: () => restarts,
    stop: async () => {
      stopping = true
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
      const exited = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await exited
    },
  }
}
