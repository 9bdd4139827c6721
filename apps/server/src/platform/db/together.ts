/**
 * Runs steps of one operation that do not need each other's results: on PostgreSQL they travel in one packet. Steps reach the
 * store in their order. When one fails the others are waited for, so that none outlives the operation's transaction; then the
 * first fault in the order of the steps is thrown.
 */
export const together = async <T extends readonly unknown[] | []>(
  steps: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> => {
  const settled = await Promise.allSettled(steps)
  for (const one of settled) if (one.status === 'rejected') throw one.reason
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as { -readonly [K in keyof T]: Awaited<T[K]> }
}
