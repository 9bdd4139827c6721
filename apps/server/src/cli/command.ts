import type { ParseArgsOptionsConfig } from 'node:util'
import type { Config, Env } from '#platform/config/read-config.ts'

export type Values = { readonly [name: string]: string | boolean | (string | boolean)[] | undefined }

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
  readonly options: ParseArgsOptionsConfig
  /** Names of positional arguments, in order; all are required. */
  readonly positionals: readonly string[]
  /** Which flags of the configuration it takes: all of them, or those that say where the data is. */
  readonly flags: 'all' | 'data'
  /** Returns the exit code. @throws CommandError, StoreError or Problem for people */
  readonly run: (input: CliInput) => Promise<number>
}

/** A refusal for people: printed as it is, without a stack; the exit code is 1. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CommandError'
  }
}

/** Prints a line on standard output. Logs go elsewhere: what is printed here may be secret. */
export const say = (line = ''): void => {
  process.stdout.write(`${line}\n`)
}
