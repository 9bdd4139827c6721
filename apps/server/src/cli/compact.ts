import { listJobs } from '#features/jobs/public.ts'
import { compactDatabase } from '#platform/db/sqlite/compact.ts'
import { type CliCommand, CommandError, jsonOption, printResult } from './command.ts'
import { sizeOf } from './input/output-file.ts'
import { checkSchema } from './input/schema.ts'
import { OPERATOR, recordInstanceAction, withContext } from './with-context.ts'

export const compact: CliCommand = {
  options: jsonOption,
  positionals: [],
  flags: 'data',
  store: 'there',
  run: async ({ config, values }) => {
    if (config.databaseUrl !== undefined) {
      throw new CommandError(
        'Only the embedded database can be compacted. PostgreSQL reclaims space with autovacuum or VACUUM FULL.',
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
      `The database file was ${sizeOf(before)} and is now ${sizeOf(after)}.`,
      ...(deleting === 0
        ? []
        : [
            `Deletion of ${deleting === 1 ? 'a dataset' : `${deleting} datasets`} is not finished. Start the server, wait until Administration > Jobs shows that it is done, then run this command again.`,
          ]),
    )
    return 0
  },
}
