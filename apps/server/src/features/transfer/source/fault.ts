import type { z } from 'zod'

/** The first thing that is wrong, with its place. @param whole what it is called where there is no place inside of it */
export const firstFault = ({ issues: [issue] }: z.ZodError, whole: string): string => {
  // NOTE: the tag of a union is a symbol, and no key of the value
  const place = issue?.path.filter((part) => typeof part !== 'symbol').join('.')
  return `${place || whole}: ${issue?.message}`
}
