import { migrations } from '#platform/db/migrate.ts'
import { openContext } from '../open-context.ts'
import type { CliCommand } from './command.ts'
import { CommandError, say } from './command.ts'

export const databaseMigrate: CliCommand = {
  names: ['database migrate'],
  summary: 'Bring the schema up to date. The server does the same when it starts.',
  options: { revision: { type: 'string', default: 'head' } },
  positionals: [],
  flags: 'data',
  run: async ({ config, values }) => {
    const known = migrations.map(({ name }) => name)
    const wanted = values.revision
    if (wanted !== 'head' && wanted !== known.at(-1)) {
      throw new CommandError(
        `The only revision that this version works with is head (${known.at(-1)}): the schema never goes back.`,
      )
    }
    const ctx = await openContext(config, { exclusive: false })
    const { engine, location } = await ctx.store.health()
    await ctx.store.close()
    say(`The schema is up to date at ${known.at(-1)} (${engine}, ${location}).`)
    return 0
  },
}

export const databaseRevisions: CliCommand = {
  names: ['database revisions'],
  summary: 'Print the revisions of the schema that this version knows, oldest first.',
  options: {},
  positionals: [],
  flags: 'data',
  run: async () => {
    for (const { name } of migrations) say(name)
    return 0
  },
}
