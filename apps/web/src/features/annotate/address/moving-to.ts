const key = 'postil.queue.moving'

/**
 * The position that the queue's URL is about to get. It is stored while the change to the URL is deferred, so that a reload in
 * between returns to the record on the screen.
 */
export const storeMovingTo = (datasetId: string, position: number): void => {
  try {
    sessionStorage.setItem(key, `${datasetId} ${position}`)
  } catch {
    // Without storage, a reload returns to the position in the URL.
  }
}

export const clearMovingTo = (): void => {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was stored.
  }
}

/** Removes the stored position. @returns the position, or null if none is stored for the dataset */
export const takeMovingTo = (datasetId: string): number | null => {
  try {
    const [id, position] = sessionStorage.getItem(key)?.split(' ') ?? []
    clearMovingTo()
    return id === datasetId ? Number(position) : null
  } catch {
    return null
  }
}
