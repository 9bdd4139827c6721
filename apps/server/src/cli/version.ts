import { VERSION } from '#platform/version.ts'
import type { CliCommand } from './command.ts'
import { say } from './command.ts'

export const version: CliCommand = {
  names: ['version', '--version'],
  summary: 'Print the version.',
  options: {},
  positionals: [],
  flags: 'data',
  run: async () => {
    say(VERSION)
    return 0
  },
}
