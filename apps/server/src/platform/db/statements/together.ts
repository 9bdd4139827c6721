/** PostgreSQL's code for a statement that fails because one before it did. */
const FAILED_BEFORE = '25P02'
const isConsequence = (reason: unknown): boolean => (reason as { readonly code?: unknown } | null)?.code === FAILED_BEFORE

/**
 * Runs steps of one operation that do not need each other's results: on PostgreSQL they travel in one packet. Steps reach the
 * store in their order. When one fails the others are waited for, so that none outlives the operation's transaction; then the
 * first fault in the order of the steps is thrown, but none that another one brought about.
 */
export const together = async <T extends readonly unknown[] | []>(
  steps: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> => {
  const settled = await Promise.allSettled(steps)
  const faults = settled.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
  if (faults.length > 0) throw faults.find((fault) => !isConsequence(fault)) ?? faults[0]
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as { -readonly [K in keyof T]: Awaited<T[K]> }
}

type Outcomes<T extends readonly (() => Promise<unknown>)[]> = { -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> }

/**
 * `together` for steps that take time to prepare: each begins when the one before is on its way, so that PostgreSQL works on
 * one while the next is prepared.
 * @param sent of the dialect
 */
export const inTurn = async <T extends readonly (() => Promise<unknown>)[] | []>(
  sent: () => Promise<void>,
  steps: T,
): Promise<Outcomes<T>> => {
  const begun: Promise<unknown>[] = []
  for (const step of steps) {
    const outcome = (async () => step())()
    // NOTE: it is looked at once all have begun
    outcome.catch(() => undefined)
    begun.push(outcome)
    await sent()
  }
  return (await together(begun)) as Outcomes<T>
}
