import type { CliCommand } from './command.ts'
import { jsonOption, printResult } from './command.ts'

/** Does nothing, because the search index is part of the database. Exists because scripts for Argilla call this command. */
export const reindex: CliCommand = {
  options: {
    'dataset-id': { type: 'string', placeholder: 'ID', about: 'Accepted for compatibility; has no effect.' },
    ...jsonOption,
  },
  positionals: [],
  flags: 'data',
  store: 'none',
  run: async ({ values }) => {
    printResult(values, { changed: false }, 'Nothing to do: search data is updated with every write.')
    return 0
  },
}
