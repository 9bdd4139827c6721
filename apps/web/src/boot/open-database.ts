import { createStores, databaseName, schemaVersion } from '#lib/outbox/stores.ts'

/** Makes the browser open its database, or create it, because the first record depends on its contents. */
export const openDatabaseEarly = (): void => {
  try {
    const opening = indexedDB.open(databaseName, schemaVersion)
    opening.onupgradeneeded = () => createStores(opening.result)
    opening.onsuccess = () => opening.result.close()
    // The web app detects the failure itself and works without the database.
    opening.onerror = (event) => event.preventDefault()
  } catch {
    // Storage is unavailable.
  }
}
