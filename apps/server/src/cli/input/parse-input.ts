import type { z } from 'zod'
import { CommandError } from '../command.ts'

/**
 * Parses an option's value with a contract schema.
 * @param named maps each key of the value to what the user typed: an option with its dashes, or an argument name
 * @throws CommandError with a line for each invalid option
 */
export const parseInput = <T>(
  schema: z.ZodType<T>,
  input: unknown,
  named = (key: string) => `--${key.replaceAll('_', '-')}`,
): T => {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw new CommandError(result.error.issues.map(({ path, message }) => `${named(path.join('.'))}: ${message}`).join('\n'))
}
