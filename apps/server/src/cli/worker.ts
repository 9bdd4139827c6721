import type { CliCommand } from './command.ts'
import { say } from './command.ts'
import { untilAsked } from './signals.ts'

/** Kept for set-ups that start one process for the server and one for its jobs, and restart what ends. */
export const worker: CliCommand = {
  names: ['worker'],
  summary: 'Does nothing and stays: the server runs its jobs itself.',
  options: { queues: { type: 'string', multiple: true }, 'num-workers': { type: 'string' } },
  positionals: [],
  flags: 'data',
  run: async () => {
    say('The server runs its jobs itself; this process only waits until it is ended.')
    const alive = setInterval(() => undefined, 2 ** 30)
    await untilAsked()
    clearInterval(alive)
    return 0
  },
}
