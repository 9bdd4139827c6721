const ENDINGS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

const POLL_MS = 500

/**
 * npm (`npm start`, `npx`) sends the signal to an intermediate shell, which doesn't forward it. This process therefore stops when
 * that shell ends.
 */
const watchShell = (onEnd: () => void): void => {
  if (!['start', 'npx'].includes(process.env.npm_lifecycle_event ?? '')) return
  const shell = process.ppid
  setInterval(() => {
    if (process.ppid !== shell) onEnd()
  }, POLL_MS).unref()
}

/** Resolves at the first termination signal. A second one ends the process immediately. */
export const untilSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    watchShell(() => resolve('SIGTERM'))
    let isSignaled = false
    for (const signal of ENDINGS) {
      process.on(signal, () => {
        if (isSignaled) process.exit(1)
        isSignaled = true
        resolve(signal)
      })
    }
  })

/**
 * Ends the process early and prints what happens to unfinished work. In a terminal, starts a new line first, because the cursor
 * may be on a line that shows progress.
 */
export const exitEarly = (sentence: string): never => {
  process.stderr.write(`${process.stderr.isTTY ? '\n' : ''}${sentence}\n`)
  process.exit(1)
}

/** Lets a command handle termination signals. @returns a function to call when the command is done */
export const onSignal = (end: () => void): (() => void) => {
  for (const signal of ENDINGS) process.on(signal, end)
  return () => {
    for (const signal of ENDINGS) process.off(signal, end)
  }
}

/** Removes unfinished output if the process is asked to end. @returns a function to call when the output is complete */
export const removeOnSignal = (remove: () => void): (() => void) =>
  onSignal(() => {
    remove()
    exitEarly('Stopped before the command finished. Partial output was removed.')
  })
