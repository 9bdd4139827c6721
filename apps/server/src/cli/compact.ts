import { listJobs } from '#features/jobs/service.ts'
import { compactDatabase } from '#platform/db/sqlite/compact.ts'
import { type CliCommand, CommandError, jsonOption, printResult } from './command.ts'
import { sizeOf } from './input/output-file.ts'
import { checkSchema } from './input/schema.ts'
import { OPERATOR, recordInstanceAction, withContext } from './with-context.ts'

export const compact: CliCommand = {
  names: ['database compact'],
  summary: 'Give the room of what was deleted back to the disk. For the embedded store; its server must not run.',
  options: jsonOption,
  positionals: [],
  flags: 'data',
  store: 'there',
  run: async ({ config, values }) => {
    if (config.databaseUrl !== undefined) {
      throw new CommandError(
        'PostgreSQL gives room back by itself (autovacuum) or by its own VACUUM FULL: this is for the embedded store alone.',
      )
    }
    await checkSchema(config)
    const { before, after } = await compactDatabase(config.dataDir, { timeoutMs: config.sqliteTimeoutMs, sizeOf })
    const deleting = await withContext(config, async (ctx) => {
      await recordInstanceAction(ctx, 'instance.compact', 'database', { before, after })
      const { items } = await listJobs(ctx, OPERATOR, undefined)
      return items.filter(({ kind, status }) => kind === 'dataset.purge' && status !== 'finished').length
    })
    printResult(
      values,
      { before, after, deleting },
      `The database file had ${sizeOf(before)} and has ${sizeOf(after)}.`,
      ...(deleting === 0
        ? []
        : [
            `Of ${deleting === 1 ? 'a dataset' : `${deleting} datasets`} not everything is deleted yet: start the server, and do this again when Jobs in Administration says that it is done.`,
          ]),
    )
    return 0
  },
}
