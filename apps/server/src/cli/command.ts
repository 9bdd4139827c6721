import type { Config, Env } from '#platform/config/read-config.ts'

export type Values = { readonly [name: string]: string | boolean | (string | boolean)[] | undefined }

/** A command option. The parser ignores `about` and `placeholder`, which only the help uses. */
export type Option = {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  readonly default?: string
  readonly about: string
  /** The value's placeholder in the help; `TEXT` by default. */
  readonly placeholder?: string
}

type CliInput = {
  readonly config: Config
  /** The command's options by long name. */
  readonly values: Values
  readonly positionals: readonly string[]
  readonly env: Env
}

export type CliCommand = {
  readonly options: { readonly [name: string]: Option }
  /** Names of the positional arguments, in order. All are required. */
  readonly positionals: readonly string[]
  /** Which configuration flags the command accepts: all, or only those that locate the data. */
  readonly flags: 'all' | 'data'
  /**
   * The store that the command needs. `there`: an existing store of any version. `current`: an existing store with the current
   * schema. `made`: the store may be missing, in which case most of these commands create it. `none`: no store.
   */
  readonly store: 'there' | 'current' | 'made' | 'none'
  /** Returns the exit code. @throws CommandError, UsageError, StoreError or Problem with messages for users */
  readonly run: (input: CliInput) => Promise<number>
}

/** An error with a message for users. The message is printed without a stack trace, and the exit code is 1. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CommandError'
  }
}

/**
 * A command line that is invalid regardless of the data. The message is printed without a stack trace, and the exit code is 2.
 */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** Prints a line on standard output. Logs go elsewhere, because these lines may contain secrets. */
export const printLine = (line = ''): void => {
  process.stdout.write(`${line}\n`)
}

/** The option of every command that prints a result. */
export const jsonOption = { json: { type: 'boolean', about: 'Print a single JSON object.' } } as const

/** Prints a command's result: lines for people, or one JSON object for programs. */
export const printResult = (values: Values, document: object, ...lines: readonly string[]): void => {
  if (values.json === true) printLine(JSON.stringify(document))
  else for (const line of lines) printLine(line)
}

/** Returns the value of an option that takes text. */
export const textOf = (values: Values, name: string): string | undefined => {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}
