import type { z } from 'zod'
import { CommandError } from '../command.ts'

/**
 * Parses an option's value with a schema of the contract.
 * @param named maps a key of the value to what was typed: an option with its dashes, or the name of an argument
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
