import { createStores, databaseName, schemaVersion } from '#lib/outbox/stores.ts'

/** Has the browser open its database, and make it where there is none: the first record waits for what is in it. */
export const openDeviceAhead = (): void => {
  try {
    const opening = indexedDB.open(databaseName, schemaVersion)
    opening.onupgradeneeded = () => createStores(opening.result)
    opening.onsuccess = () => opening.result.close()
    // The page finds out by itself, and goes on without.
    opening.onerror = (event) => event.preventDefault()
  } catch {
    // No storage.
  }
}
