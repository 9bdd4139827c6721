/** PostgreSQL's error code for a statement in a transaction that has already failed. */
const FAILED_BEFORE = '25P02'
const isConsequence = (reason: unknown): boolean => (reason as { readonly code?: unknown } | null)?.code === FAILED_BEFORE

/**
 * Runs an operation's independent steps. PostgreSQL gets them in one packet. Steps reach the store in order. If a step fails, the
 * others are awaited, so that none outlives the operation's transaction. Then the first error in step order is thrown. Errors
 * that occur only because another step has failed are ignored.
 */
export const pipeline = async <T extends readonly unknown[] | []>(
  steps: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> => {
  const settled = await Promise.allSettled(steps)
  const faults = settled.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []))
  if (faults.length > 0) throw faults.find((fault) => !isConsequence(fault)) ?? faults[0]
  return settled.map((result) => (result as PromiseFulfilledResult<unknown>).value) as { -readonly [K in keyof T]: Awaited<T[K]> }
}

type Outcomes<T extends readonly (() => Promise<unknown>)[]> = { -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> }

/**
 * Like `pipeline`, for steps that take time to prepare. Each step starts when the previous step has been sent, so that PostgreSQL
 * works on one step while the next one is prepared.
 * @param sent the dialect's `flush`
 */
export const pipelineInOrder = async <T extends readonly (() => Promise<unknown>)[] | []>(
  sent: () => Promise<void>,
  steps: T,
): Promise<Outcomes<T>> => {
  const started: Promise<unknown>[] = []
  for (const step of steps) {
    const outcome = (async () => step())()
    // The error is handled once all steps have started.
    outcome.catch(() => undefined)
    started.push(outcome)
    await sent()
  }
  return (await pipeline(started)) as Outcomes<T>
}
