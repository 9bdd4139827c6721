const ENDINGS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

const LOOK_MS = 500

/** Of `npm start` and `npx`, npm asks the shell between to end, which does not pass that on: its end is the sign. */
const watchShell = (onEnd: () => void): void => {
  if (!['start', 'npx'].includes(process.env.npm_lifecycle_event ?? '')) return
  const shell = process.ppid
  setInterval(() => {
    if (process.ppid !== shell) onEnd()
  }, LOOK_MS).unref()
}

/** Resolves at the first signal that asks the process to end. A second one ends it at once. */
export const untilAsked = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    watchShell(() => resolve('SIGTERM'))
    let asked = false
    for (const signal of ENDINGS) {
      process.on(signal, () => {
        if (asked) process.exit(1)
        asked = true
        resolve(signal)
      })
    }
  })

/** Ends the process before it is done, and says what becomes of what was begun; in a line of its own, also where one that changes is open. */
export const endEarly = (sentence: string): never => {
  process.stderr.write(`${process.stderr.isTTY ? '\n' : ''}${sentence}\n`)
  process.exit(1)
}

/** Lets a command that is asked to end before it is done say how. @returns to be called when it is done */
export const whenAsked = (end: () => void): (() => void) => {
  for (const signal of ENDINGS) process.on(signal, end)
  return () => {
    for (const signal of ENDINGS) process.off(signal, end)
  }
}

/** Has what is only half made removed when the process is asked to end before it is done. @returns to be called when it is done */
export const removeWhenAsked = (remove: () => void): (() => void) =>
  whenAsked(() => {
    remove()
    endEarly('Ended before it was done: nothing is left of it.')
  })
