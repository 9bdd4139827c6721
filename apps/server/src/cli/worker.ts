import { resumeTextRebuilds } from '#features/jobs/service.ts'
import { startDelivery } from '#features/webhooks/delivery.ts'
import { integer } from '#platform/config/parsers.ts'
import type { Config } from '#platform/config/read-config.ts'
import { startBackground } from '#platform/jobs/background.ts'
import type { CliCommand } from './command.ts'
import { CommandError, printLine, textOf } from './command.ts'
import { untilSignal } from './signals.ts'
import { withContext } from './with-context.ts'

const loops = integer(1, 64)

/** Processes jobs and webhooks alongside any number of servers and other workers until the process is asked to end. */
const work = (config: Config, number: number): Promise<void> =>
  withContext(config, async (ctx) => {
    const signaled = untilSignal()
    await resumeTextRebuilds(ctx)
    // This process serves no requests, so steps never need to yield.
    const backgrounds = Array.from({ length: number }, () => startBackground(ctx, { isBusy: () => false }))
    const delivery = startDelivery(ctx)
    printLine('Postil works on background jobs and webhooks.')
    await signaled
    await Promise.all([delivery.stop(), ...backgrounds.map((background) => background.stop())])
  })

/** Deployments for the original server restart a worker that ends, so with the embedded database it keeps running. */
const wait = async (): Promise<void> => {
  const signaled = untilSignal()
  printLine('With the embedded store the server does this work itself; this process only waits until it is ended.')
  const alive = setInterval(() => undefined, 2 ** 30)
  await signaled
  clearInterval(alive)
}

export const worker: CliCommand = {
  names: ['worker'],
  summary: 'With PostgreSQL: work on background jobs and webhooks, beside the servers, without HTTP.',
  options: {
    queues: {
      type: 'string',
      multiple: true,
      placeholder: 'NAME',
      about: 'Accepted, without a meaning: every worker takes every job.',
    },
    'num-workers': { type: 'string', default: '2', placeholder: 'NUMBER', about: 'Steps of jobs that go on at once [2].' },
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
