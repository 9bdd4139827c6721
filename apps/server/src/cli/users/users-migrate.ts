import type { CliCommand } from '../command.ts'
import { jsonOption, printResult } from '../command.ts'

/**
 * Does nothing. It exists because scripts for the original server call it when they upgrade from version 1. Postil doesn't read
 * the files of version 1.
 */
export const usersMigrate: CliCommand = {
  options: jsonOption,
  positionals: [],
  flags: 'data',
  store: 'none',
  run: async ({ values }) => {
    const line =
      "Nothing to do: users files of Argilla 1 are not supported. Create users with 'postil database users create', or copy them from a running server with 'postil migrate-from'."
    printResult(values, { changed: false }, line)
    return 0
  },
}
