import { parseArgs } from 'node:util'
import { Problem } from '@postil/contract/errors.ts'
import { readConfig } from '#platform/config/read-config.ts'
import { StoreError } from '#platform/db/store.ts'
import type { CliCommand } from './command.ts'
import { CommandError, say } from './command.ts'
import { commands } from './commands.ts'
import { flagHelp, flagOptions, flagsIn } from './flags.ts'

const USAGE_ERROR = 2

const complain = (message: string): void => {
  process.stderr.write(`${message}\n`)
}

/** The command with the most words that the arguments start with, and what is left of them. */
const find = (args: readonly string[]): { command: CliCommand; rest: string[] } | null => {
  let best: { command: CliCommand; rest: string[]; words: number } | null = null
  for (const command of commands) {
    for (const name of command.names) {
      const words = name.split(' ')
      if (words.every((word, i) => args[i] === word) && words.length > (best?.words ?? 0)) {
        best = { command, rest: args.slice(words.length), words: words.length }
      }
    }
  }
  return best
}

const overview = (): void => {
  say('Usage: postil <command> [options]\n')
  const width = Math.max(...commands.map(({ names }) => names[0].length)) + 2
  for (const { names, summary } of commands) say(`  ${names[0].padEnd(width)}${summary}`)
  say('\nOptions of a command: postil <command> --help')
}

const helpOn = (command: CliCommand): void => {
  const places = command.positionals.map((name) => ` ${name.toUpperCase()}`).join('')
  say(`Usage: postil ${command.names[0]}${places} [options]\n\n${command.summary}\n`)
  for (const [name, { type, multiple }] of Object.entries(command.options)) {
    say(`  --${name}${type === 'string' ? ' TEXT' : ''}${multiple ? ' (may be repeated)' : ''}`)
  }
  for (const line of flagHelp(command.flags)) say(line)
}

const parse = (command: CliCommand, args: string[]) =>
  parseArgs({
    args,
    options: { ...flagOptions(command.flags), ...command.options, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
    allowNegative: true,
  })

const isForPeople = (error: unknown): error is Error =>
  error instanceof CommandError || error instanceof StoreError || error instanceof Problem

const runCommand = async (command: CliCommand, { values, positionals }: ReturnType<typeof parse>): Promise<number> => {
  const result = readConfig(process.env, flagsIn(values))
  if (!result.ok) {
    for (const problem of result.problems) complain(problem)
    return 1
  }
  for (const note of result.notes) complain(note)
  try {
    return await command.run({ config: result.config, values, positionals, env: process.env })
  } catch (error) {
    if (!isForPeople(error)) throw error
    complain(error.message)
    return 1
  }
}

/** Runs what was typed. @returns the exit code: 0 done, 1 refused, 2 not understood */
export const runCli = async (args: readonly string[]): Promise<number> => {
  if (args.length === 0 || args[0] === '--help' || args[0] === '-h' || args[0] === 'help') {
    overview()
    return args.length === 0 ? USAGE_ERROR : 0
  }
  const found = find(args)
  if (!found) {
    complain(`There is no command '${args.filter((arg) => !arg.startsWith('-')).join(' ')}': see postil --help.`)
    return USAGE_ERROR
  }
  const { command, rest } = found
  try {
    const parsed = parse(command, rest)
    if (parsed.values.help) {
      helpOn(command)
      return 0
    }
    if (parsed.positionals.length !== command.positionals.length) {
      throw new TypeError(
        `'${command.names[0]}' takes ${command.positionals.length} argument(s): ${command.positionals.join(' ') || 'none'}`,
      )
    }
    return await runCommand(command, parsed)
  } catch (error) {
    if (!(error instanceof TypeError && isUsage(error))) throw error
    complain(`${error.message.split('. To specify')[0]}. See postil ${command.names[0]} --help.`)
    return USAGE_ERROR
  }
}

const isUsage = (error: TypeError & { code?: string }): boolean =>
  error.code?.startsWith('ERR_PARSE_ARGS') === true || error.message.includes('argument(s)')
