import { startDelivery } from '#features/webhooks/public.ts'
import { integer } from '#platform/config/parsers.ts'
import type { Config } from '#platform/config/read-config.ts'
import { startBackground } from '#platform/jobs/background.ts'
// Declares all kinds of jobs.
import '../operations.ts'
import { resumeRebuilds } from '../resume-rebuilds.ts'
import type { CliCommand } from './command.ts'
import { CommandError, printLine, textOf } from './command.ts'
import { untilSignal } from './signals.ts'
import { withContext } from './with-context.ts'

const loops = integer(1, 64)

/**
 * Processes jobs and webhooks until the process is asked to end. Any number of servers and other workers may run at the same
 * time.
 */
const work = (config: Config, number: number): Promise<void> =>
  withContext(config, async (ctx) => {
    const signaled = untilSignal()
    const stop = new AbortController()
    await resumeRebuilds(ctx, stop.signal)
    // This process serves no requests, so its work never needs to yield.
    const backgrounds = Array.from({ length: number }, () => startBackground(ctx, { isBusy: () => false }))
    const delivery = startDelivery(ctx)
    printLine('Postil is processing background jobs and webhooks.')
    await signaled
    stop.abort()
    await Promise.all([delivery.stop(), ...backgrounds.map((background) => background.stop())])
  })

/**
 * With the embedded database, this process has no work. It stays alive anyway, because deployments for the original server
 * restart a worker that exits.
 */
const wait = async (): Promise<void> => {
  const signaled = untilSignal()
  printLine('With the embedded database, the server does this work. This process only waits until it is stopped.')
  const alive = setInterval(() => undefined, 2 ** 30)
  await signaled
  clearInterval(alive)
}

export const worker: CliCommand = {
  options: {
    queues: {
      type: 'string',
      multiple: true,
      placeholder: 'NAME',
      about: 'Accepted for compatibility; has no effect. Every worker runs every kind of job.',
    },
    'num-workers': {
      type: 'string',
      default: '2',
      placeholder: 'NUMBER',
      about: 'Number of job steps to run at the same time [2].',
    },
  },
  positionals: [],
  flags: 'data',
  store: 'none',
  run: async ({ config, values }) => {
    const number = loops(textOf(values, 'num-workers') ?? '2')
    if ('problem' in number) throw new CommandError(`--num-workers ${number.problem}.`)
    if (config.databaseUrl === undefined) await wait()
    else await work(config, number.value)
    return 0
  },
}
