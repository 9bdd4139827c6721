import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const unsent = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('postil')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const count = await new Promise<number>((resolve) => {
      const request = db.transaction('outbox').objectStore('outbox').count()
      request.onsuccess = () => resolve(request.result)
    })
    db.close()
    return count
  })

/** Waits until so many answers are on the device. The page counts them as they are given, and a tab that is closed before they are there takes them with it. */
export const onDisk = (page: Page, count: number): Promise<void> => expect.poll(() => unsent(page)).toBe(count)
