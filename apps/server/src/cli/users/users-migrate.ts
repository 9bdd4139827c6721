import type { CliCommand } from '../command.ts'
import { jsonOption, printResult } from '../command.ts'

/** Scripts for the original server call this command when they upgrade from version 1, whose files Postil doesn't read. */
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
