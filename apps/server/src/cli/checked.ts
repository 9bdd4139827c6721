import type { z } from 'zod'
import { CommandError } from './command.ts'

/**
 * What the contract makes of a value that an option gave.
 * @param option name of the option that a key of the value came from
 * @throws CommandError, a line for each option that is wrong
 */
export const checked = <T>(schema: z.ZodType<T>, input: unknown, option = (key: string) => key.replaceAll('_', '-')): T => {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw new CommandError(result.error.issues.map(({ path, message }) => `--${option(path.join('.'))}: ${message}`).join('\n'))
}
