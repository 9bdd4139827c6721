import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const held = (page: Page, store: 'outbox' | 'drafts'): Promise<number> =>
  page.evaluate(async (name) => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('postil')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const count = await new Promise<number>((resolve) => {
      const request = db.transaction(name).objectStore(name).count()
      request.onsuccess = () => resolve(request.result)
    })
    db.close()
    return count
  }, store)

/** Waits until so many answers are on the device. The page counts them as they are given, and a tab that is closed before they are there takes them with it. */
export const onDisk = (page: Page, count: number): Promise<void> => expect.poll(() => held(page, 'outbox')).toBe(count)

/** Waits until the edits of so many records that were not sent are on the device. */
export const draftsOnDisk = (page: Page, count: number): Promise<void> => expect.poll(() => held(page, 'drafts')).toBe(count)
