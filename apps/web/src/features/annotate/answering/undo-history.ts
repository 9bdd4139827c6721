/** A state with the steps that can be undone and redone. */
type UndoHistory<T> = {
  readonly past: readonly T[]
  readonly present: T
  readonly future: readonly T[]
  /** What the last step changed. For example, the name of the question whose answer was edited, or `clear` for all answers. */
  readonly topic: string | null
}

const maxSteps = 200

export const createHistory = <T>(present: T): UndoHistory<T> => ({ past: [], present, future: [], topic: null })

/**
 * Adds a state. If `merge` is set and the topic is the same as before, the new state replaces the previous one. Typing a word is
 * then a single step.
 */
export const addState = <T>(
  { past, present, topic: before }: UndoHistory<T>,
  next: T,
  topic: string,
  merge = false,
): UndoHistory<T> =>
  merge && before === topic && past.length > 0
    ? { past, present: next, future: [], topic }
    : { past: [...past, present].slice(-maxSteps), present: next, future: [], topic }

export const undoState = <T>(history: UndoHistory<T>): UndoHistory<T> => {
  const last = history.past.at(-1)
  return last === undefined
    ? history
    : { past: history.past.slice(0, -1), present: last, future: [history.present, ...history.future], topic: null }
}

export const redoState = <T>(history: UndoHistory<T>): UndoHistory<T> => {
  const [next, ...future] = history.future
  return next === undefined ? history : { past: [...history.past, history.present], present: next, future, topic: null }
}
