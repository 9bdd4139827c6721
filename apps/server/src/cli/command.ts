import type { Config, Env } from '#platform/config/read-config.ts'

export type Values = { readonly [name: string]: string | boolean | (string | boolean)[] | undefined }

/** An option of a command; the parser reads all of it but `about` and `shows`, which are for the help. */
export type Option = {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  readonly default?: string
  readonly about: string
  /** What stands for the value in the help, `TEXT` when left out. */
  readonly shows?: string
}

export type CliInput = {
  readonly config: Config
  /** Options of the command by their long name. */
  readonly values: Values
  readonly positionals: readonly string[]
  readonly env: Env
}

/** One command of the command line. */
export type CliCommand = {
  /** What is typed, for example `database users create`; further spellings after it. */
  readonly names: readonly [string, ...string[]]
  readonly summary: string
  readonly options: { readonly [name: string]: Option }
  /** Names of positional arguments, in order; all are required. */
  readonly positionals: readonly string[]
  /** Which flags of the configuration it takes: all of them, or those that say where the data is. */
  readonly flags: 'all' | 'data'
  /**
   * Whether it works on a store that is there, of whatever version or only where its schema is up to date, may find none (and, as a rule,
   * makes one), or has to do with none.
   */
  readonly store: 'there' | 'current' | 'made' | 'none'
  /** Returns the exit code. @throws CommandError, UsageError, StoreError or Problem for people */
  readonly run: (input: CliInput) => Promise<number>
}

/** A refusal for people: printed as it is, without a stack; the exit code is 1. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CommandError'
  }
}

/** What was typed cannot be done here whatever the data is: printed as it is; the exit code is 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** Prints a line on standard output. Logs go elsewhere: what is printed here may be secret. */
export const say = (line = ''): void => {
  process.stdout.write(`${line}\n`)
}

/** The option of every command that ends with an outcome. */
export const jsonOption = { json: { type: 'boolean', about: 'Print one JSON object.' } } as const

/** Prints the outcome of a command: for people as lines, for programs as one JSON object. */
export const tell = (values: Values, document: object, ...lines: readonly string[]): void => {
  if (values.json === true) say(JSON.stringify(document))
  else for (const line of lines) say(line)
}

/** The value of an option that takes one. */
export const textOf = (values: Values, name: string): string | undefined => {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}
