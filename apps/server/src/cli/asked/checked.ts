import type { z } from 'zod'
import { CommandError } from '../command.ts'

/**
 * What the contract makes of a value that an option gave.
 * @param named what was typed for a key of the value: an option with its dashes, or the name of an argument
 * @throws CommandError, a line for each option that is wrong
 */
export const checked = <T>(schema: z.ZodType<T>, input: unknown, named = (key: string) => `--${key.replaceAll('_', '-')}`): T => {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw new CommandError(result.error.issues.map(({ path, message }) => `${named(path.join('.'))}: ${message}`).join('\n'))
}
