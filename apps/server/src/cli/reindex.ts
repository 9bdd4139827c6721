import type { CliCommand } from './command.ts'
import { jsonOption, printResult } from './command.ts'

/** Scripts for the original server call this command. Here the database is the search engine. */
export const reindex: CliCommand = {
  names: ['search-engine reindex'],
  summary: 'Does nothing: search data is written with the records and cannot fall behind.',
  options: { 'dataset-id': { type: 'string', placeholder: 'ID', about: 'Accepted, without a meaning.' }, ...jsonOption },
  positionals: [],
  flags: 'data',
  store: 'none',
  run: async ({ values }) => {
    printResult(values, { changed: false }, 'Nothing to do: search data is part of every write and is always up to date.')
    return 0
  },
}
