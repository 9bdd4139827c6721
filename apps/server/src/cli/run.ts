import { parseArgs } from 'node:util'
import { Problem } from '@postil/contract/wire/errors.ts'
import { readConfig } from '#platform/config/read-config.ts'
import { StoreError } from '#platform/db/store.ts'
import { IdentityConfigError } from '#platform/identity/configuration.ts'
import type { CliCommand, Values } from './command.ts'
import { CommandError, printLine, UsageError } from './command.ts'
import { commands, type ListedCommand } from './commands.ts'
import { checkFolder } from './input/data-folder.ts'
import { flagOptions, flagsIn } from './input/flags.ts'
import { groupOf, helpOn, helpOnGroup, overview } from './output/help.ts'

const USAGE_ERROR = 2

const printError = (message: string): void => {
  process.stderr.write(`${message}\n`)
}

/** Finds the command that matches the most leading words, and returns the remaining arguments. */
const find = (args: readonly string[]): { listed: ListedCommand; rest: string[] } | null => {
  let best: { listed: ListedCommand; rest: string[]; words: number } | null = null
  for (const listed of commands) {
    for (const name of listed.names) {
      const words = name.split(' ')
      if (words.every((word, i) => args[i] === word) && words.length > (best?.words ?? 0)) {
        best = { listed, rest: args.slice(words.length), words: words.length }
      }
    }
  }
  return best
}

const parse = (command: CliCommand, args: string[]) =>
  parseArgs({
    args,
    options: { ...flagOptions(command.flags), ...command.options, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
    allowNegative: true,
  })

const isUserError = (error: unknown): error is Error =>
  error instanceof CommandError || error instanceof StoreError || error instanceof IdentityConfigError || error instanceof Problem

/** Reports an unexpected error in one sentence. The log level decides whether the stack is printed too. */
const faultMessage = (error: unknown, log: string): string => {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (log !== 'debug' && log !== 'trace') return `The command failed: ${message}. (Set POSTIL_LOG_LEVEL=debug for details.)`
  return stack ?? message
}

/** Reports an error as text on standard error or, with `--json`, as one JSON object. */
const fail = (values: Values, problem: string): number => {
  if ('json' in values && values['json'] === true) printLine(JSON.stringify({ ok: false, problem }))
  else printError(problem)
  return 1
}

const runCommand = async (command: CliCommand, { values, positionals }: ReturnType<typeof parse>): Promise<number> => {
  const result = readConfig(process.env, flagsIn(values))
  if (!result.ok) return fail(values, result.problems.join('\n'))
  for (const note of result.notes) printError(note)
  try {
    checkFolder(result.config, command)
    if (command.store === 'current') {
      const { checkSchema } = await import('./input/schema.ts')
      await checkSchema(result.config)
    }
    return await command.run({ config: result.config, values, positionals, env: process.env })
  } catch (error) {
    if (error instanceof UsageError) throw error
    return fail(values, isUserError(error) ? error.message : faultMessage(error, result.config.logLevel))
  }
}

const isHelp = (arg: string | undefined): boolean => arg === 'help' || arg === '--help' || arg === '-h'

/** Prints help for all commands, a group of commands or one command. @returns null if the words match no command */
const help = async (words: readonly string[]): Promise<number | null> => {
  const found = find(words)
  if (words.length === 0) overview()
  else if (found !== null && found.rest.length === 0) helpOn(found.listed, await found.listed.load())
  else if (groupOf(words).length > 0) helpOnGroup(words)
  else return null
  return 0
}

/** Shortens a message from the option parser to its first sentence. */
const sentenceOf = (error: Error): string => (error.message.split('. To specify')[0] ?? error.message).replace(/\.$/, '')

const isFromParser = (error: unknown): error is Error =>
  error instanceof TypeError && (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true

const placesProblem = (name: string, { positionals }: CliCommand, given: readonly string[]): string => {
  const count = `${positionals.length} argument${positionals.length === 1 ? '' : 's'} (${positionals.join(', ')})`
  const wanted = positionals.length === 0 ? `no '${given.join(' ')}'` : count
  return `'postil ${name}' takes ${wanted}. See 'postil ${name} --help'.`
}

const unknown = (words: readonly string[]): number => {
  const known = groupOf(words).length > 0
  printError(
    known
      ? `'${words.join(' ')}' needs a subcommand. See 'postil ${words.join(' ')} --help'.`
      : `Unknown command '${words.join(' ')}'. See 'postil --help'.`,
  )
  return USAGE_ERROR
}

/** Runs a command line. @returns the exit code: 0 for success, 1 for a refusal, 2 for an invalid command line */
export const runCli = async (args: readonly string[]): Promise<number> => {
  if (args.length === 0) {
    overview()
    return USAGE_ERROR
  }
  const words = args.filter((arg) => !arg.startsWith('-'))
  if (isHelp(args[0])) {
    const helpTopic = words.filter((_, i) => i > 0 || words[0] !== 'help')
    return (await help(helpTopic)) ?? unknown(helpTopic)
  }
  const found = find(args)
  if (!found) return (args.slice(words.length).some(isHelp) ? await help(words) : null) ?? unknown(words)
  const { listed, rest } = found
  const command = await listed.load()
  try {
    const parsed = parse(command, rest)
    if (parsed.values.help) {
      helpOn(listed, command)
      return 0
    }
    if (parsed.positionals.length !== command.positionals.length) {
      throw new UsageError(placesProblem(listed.names[0], command, parsed.positionals))
    }
    return await runCommand(command, parsed)
  } catch (error) {
    if (error instanceof UsageError) printError(error.message)
    else if (isFromParser(error)) printError(`${sentenceOf(error)}. See 'postil ${listed.names[0]} --help'.`)
    else throw error
    return USAGE_ERROR
  }
}
