import { maxSteps, type Trace, type TraceStep } from '@postil/contract/trace.ts'

/** Compares steps by their start. Steps without a start come last, in the order in which they were sent. */
const byStart = (a: TraceStep, b: TraceStep): number => {
  if (a.start === b.start) return 0
  if (a.start === undefined || b.start === undefined) return a.start === undefined ? 1 : -1
  return a.start < b.start ? -1 : 1
}

/**
 * Adds steps to a trace. A step with the ID of an existing step replaces that step at the same position, so sending steps twice
 * changes nothing. New steps are added at the end, in order of their start. Positions of existing steps never change. Answers
 * refer to steps by position, so they stay valid.
 */
export const mergeSteps = (stored: readonly TraceStep[], sent: readonly TraceStep[]): Trace => {
  const latest = new Map(sent.map((step) => [step.id, step]))
  const known = new Set(stored.map(({ id }) => id))
  const kept = stored.map((step) => latest.get(step.id) ?? step)
  const added = [...latest.values()].filter(({ id }) => !known.has(id)).toSorted(byStart)
  return { steps: [...kept, ...added] }
}

/** Whether a trace has more steps than a record can have. */
export const isTooLong = ({ steps }: Trace): boolean => steps.length > maxSteps
