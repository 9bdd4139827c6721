import type { z } from 'zod'

/** Returns the first problem with its place. @param whole name to use if the problem has no place inside the value */
export const firstFault = ({ issues: [issue] }: z.ZodError, whole: string): string => {
  // The tag of a union is a symbol, not a key of the value.
  const place = issue?.path.filter((part) => typeof part !== 'symbol').join('.')
  return `${place || whole}: ${issue?.message}`
}
