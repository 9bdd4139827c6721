/** Undo and redo of one state. */
export type History<T> = {
  readonly past: readonly T[]
  readonly present: T
  readonly future: readonly T[] /** What the last change was about. */
  readonly topic: string | null
}

const deepest = 200

export const historyOf = <T>(present: T): History<T> => ({ past: [], present, future: [], topic: null })

/** Adds a state. With the topic of the state before and `merge` it takes that one's place: letters of one word are one step. */
export const changed = <T>({ past, present, topic: before }: History<T>, next: T, topic: string, merge = false): History<T> =>
  merge && before === topic && past.length > 0
    ? { past, present: next, future: [], topic }
    : { past: [...past, present].slice(-deepest), present: next, future: [], topic }

export const undone = <T>(history: History<T>): History<T> => {
  const last = history.past.at(-1)
  return last === undefined
    ? history
    : { past: history.past.slice(0, -1), present: last, future: [history.present, ...history.future], topic: null }
}

export const redone = <T>(history: History<T>): History<T> => {
  const [next, ...future] = history.future
  return next === undefined ? history : { past: [...history.past, history.present], present: next, future, topic: null }
}
