/** When it is worth while to try again: the network is back, or the window is looked at again. */
export const nextChance = (): Promise<void> =>
  new Promise((done) => {
    const chance = (): void => {
      window.removeEventListener('online', chance)
      window.removeEventListener('focus', chance)
      done()
    }
    window.addEventListener('online', chance)
    window.addEventListener('focus', chance)
  })
