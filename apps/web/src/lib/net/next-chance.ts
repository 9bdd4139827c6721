/** Calls back when something is worth another try; gives what ends the waiting. */
type Wait = (chance: () => void) => () => void

let waitForServer: Wait = () => () => {}

/** Says how to wait for a server that is away. */
export const setUpChances = (wait: Wait): void => {
  waitForServer = wait
}

let next: Promise<void> | null = null

/** When it is worth while to try again: the network is back, the window is looked at again, or the server answers. One for all who wait. */
export const nextChance = (): Promise<void> => {
  next ??= new Promise((done) => {
    const chance = (): void => {
      stopWaiting()
      window.removeEventListener('online', chance)
      window.removeEventListener('focus', chance)
      next = null
      done()
    }
    const stopWaiting = waitForServer(chance)
    window.addEventListener('online', chance)
    window.addEventListener('focus', chance)
  })
  return next
}
