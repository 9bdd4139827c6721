import type { ParseArgsOptionsConfig } from 'node:util'
import type { Setting } from '#platform/config/define-setting.ts'
import type { Flags } from '#platform/config/read-config.ts'
import { settings } from '#platform/config/settings.ts'
import type { CliCommand, Values } from '../command.ts'

const DATA_FLAGS = new Set(['data-dir', 'database-url'])
const all: readonly Setting<unknown>[] = Object.values(settings)

const namesFor = (which: CliCommand['flags']): string[] =>
  all.flatMap(({ flag }) => (flag !== undefined && (which === 'all' || DATA_FLAGS.has(flag)) ? [flag] : []))

/** The configuration flags as parser options. Boolean flags also accept `--no-…`. */
export const flagOptions = (which: CliCommand['flags']): ParseArgsOptionsConfig =>
  Object.fromEntries(
    namesFor(which).map((name) => {
      const isSwitch = typeof all.find(({ flag }) => flag === name)?.fallback === 'boolean'
      return [name, { type: isSwitch ? 'boolean' : 'string' } as const]
    }),
  )

export const flagsIn = (values: Values): Flags =>
  Object.fromEntries(namesFor('all').flatMap((name) => (Array.isArray(values[name]) ? [] : [[name, values[name]]])))

/** Help lines, one per flag. */
export const flagHelp = (which: CliCommand['flags']): string[] =>
  all.flatMap(({ flag, doc, shown }) =>
    flag !== undefined && namesFor(which).includes(flag) ? [`  --${flag.padEnd(22)} ${doc} [${shown.replaceAll('`', '')}]`] : [],
  )
