import { VERSION } from '#platform/version.ts'
import type { CliCommand } from './command.ts'
import { jsonOption, printResult } from './command.ts'

export const version: CliCommand = {
  options: jsonOption,
  positionals: [],
  flags: 'data',
  store: 'none',
  run: async ({ values }) => {
    printResult(values, { version: VERSION }, VERSION)
    return 0
  },
}
