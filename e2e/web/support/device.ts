import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const countStored = (page: Page, store: 'outbox' | 'drafts'): Promise<number> =>
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

/**
 * Waits until this number of answers is stored on the device. The page counts answers immediately, but answers that are not
 * stored yet are lost if the tab is closed.
 */
export const expectStoredAnswers = (page: Page, count: number): Promise<void> =>
  expect.poll(() => countStored(page, 'outbox')).toBe(count)

export const expectStoredDrafts = (page: Page, count: number): Promise<void> =>
  expect.poll(() => countStored(page, 'drafts')).toBe(count)
