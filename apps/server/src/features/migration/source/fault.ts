import type { z } from 'zod'

/** Returns the first problem and its location. @param whole name to use if the problem has no location inside the value */
export const firstFault = ({ issues: [issue] }: z.ZodError, whole: string): string => {
  // A union's tag is a symbol, not a key of the value.
  const place = issue?.path.filter((part) => typeof part !== 'symbol').join('.')
  return `${place || whole}: ${issue?.message}`
}
