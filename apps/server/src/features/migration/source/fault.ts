import type { z } from 'zod'

/** Returns the first problem and its location. @param whole the name to use if the problem concerns the whole value */
export const firstFault = ({ issues: [issue] }: z.ZodError, whole: string): string => {
  // The path may contain a union's tag, which is a symbol and not a key of the value.
  const place = issue?.path.filter((part) => typeof part !== 'symbol').join('.')
  return `${place || whole}: ${issue?.message}`
}
