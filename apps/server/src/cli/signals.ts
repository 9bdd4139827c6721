const ENDINGS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Resolves at the first signal that asks the process to end. A second one ends it at once. */
export const untilAsked = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let asked = false
    for (const signal of ENDINGS) {
      process.on(signal, () => {
        if (asked) process.exit(1)
        asked = true
        resolve(signal)
      })
    }
  })
