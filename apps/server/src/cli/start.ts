import { existsSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { ensureOwner, type FirstOwner } from '#features/auth/public.ts'
import type { Config } from '#platform/config/read-config.ts'
import { createApp } from '../app.ts'
import type { CliCommand } from './command.ts'
import { CommandError, printLine } from './command.ts'
import { untilSignal } from './signals.ts'

/**
 * The folder of the built web app. In the package, it is next to the program. In the repository, it is in its own workspace.
 */
const pageDir = (): string => {
  const baseFolder = import.meta.dirname
  const places = [join(baseFolder, 'page'), join(baseFolder, '../../web/dist'), join(baseFolder, '../../../web/dist')]
  const found = places.find((place) => existsSync(join(place, 'index.html')))
  if (found === undefined) throw new CommandError('The web app is not built. Run "npm start" to build it.')
  return found
}

/** A user-facing message about an address that can't be used; null for any other error. */
const listenProblem = (error: NodeJS.ErrnoException, { host, port }: Config): string | null => {
  const problems: { readonly [code: string]: string } = {
    EADDRINUSE: `Port ${port} on ${host} is already in use. Stop the other program, or choose another port with POSTIL_PORT or --port.`,
    EACCES: `This user cannot listen on port ${port}. Choose a port above 1023 with POSTIL_PORT or --port.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Choose another address with POSTIL_HOST or --host.`,
    ENOTFOUND: `The host name ${host} cannot be resolved. Choose another address with POSTIL_HOST or --host.`,
  }
  return problems[error.code ?? ''] ?? null
}

/** An address that a user can open. A server that listens on all interfaces is also reachable by its local name. */
const shownAddress = (config: Config, listening: string): string => {
  if (config.publicUrl !== undefined) return config.publicUrl + config.baseUrl
  const { port } = new URL(listening)
  const anywhere = config.host === '0.0.0.0' || config.host === '::'
  const host = anywhere ? 'localhost' : isIPv6(config.host) ? `[${config.host}]` : config.host
  return `http://${host}${port ? `:${port}` : ''}${config.baseUrl}`
}

/** Lines about the owner that the first start created, with the generated secrets. */
const ownerLines = (owner: FirstOwner): string[] => [
  `Owner     ${owner.username}`,
  `Workspace ${owner.workspace}`,
  ...(owner.password === null ? [] : [`Password  ${owner.password}`]),
  ...(owner.apiKey === null ? [] : [`API key   ${owner.apiKey}`]),
]

/** Lines with the secrets that the first start generated. They are printed once and not stored. */
const secretsOf = (owner: FirstOwner, address: string): string[] => [
  ...ownerLines(owner),
  `Sign in   ${address}sign-in#link=${owner.linkToken}`,
  '          (the link works once; these details are not shown again)',
]

const run: CliCommand['run'] = async ({ config }) => {
  const app = await createApp(config, { pageDir: pageDir() })
  const signaled = untilSignal()
  try {
    const owner = await ensureOwner(app.ctx)
    const listening = await app.listen().catch((error: unknown) => {
      // The owner was created even though the start failed. Later starts don't print these secrets.
      if (owner !== null) printLine([...ownerLines(owner), '          (these details are not shown again)'].join('\n'))
      throw error
    })
    const address = shownAddress(config, listening)
    const { location } = await app.ctx.store.health()
    const secrets = owner === null ? [] : secretsOf(owner, address)
    // Printed in one write, with the ready line last: a program that waits for that line has already read the rest.
    printLine([`Data      ${location}`, ...secrets, `Postil is ready at ${address}`].join('\n'))
    const signal = await signaled
    app.ctx.log.info({ signal }, 'ending')
    return 0
  } catch (error) {
    const problem = listenProblem(error as NodeJS.ErrnoException, config)
    throw problem === null ? error : new CommandError(problem)
  } finally {
    await app.close()
  }
}

export const start: CliCommand = {
  options: {},
  positionals: [],
  flags: 'all',
  store: 'made',
  run,
}
