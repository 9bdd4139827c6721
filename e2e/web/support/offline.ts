import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ui, uiPattern } from '../../harness/ui-text.ts'

/** Saves `count` records of the open dataset for offline use. The dataset must have at least `count` records. */
export const saveForOffline = async (page: Page, count: 10 | 25) => {
  await page.getByRole('button', { name: ui('features/annotate:take.title') }).click()
  const dialog = page.getByRole('dialog', { name: ui('features/annotate:take.title') })
  await dialog.getByLabel(ui('features/annotate:take.count')).selectOption(String(count))
  await dialog.getByRole('button', { name: ui('features/annotate:take.take', { count }) }).click()
  await dialog.getByText(uiPattern('features/annotate:take.here', { formatted: count })).waitFor()
  await dialog.getByRole('button', { name: ui('common:action.close') }).click()
  // Closing the dialog returns the focus to the button. The record's shortcuts only work if the focus is on the page.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toContain(ui('features/annotate:take.title'))
  await page.locator('#main').focus()
}

/** The number of entries in each store of the browser's offline database, keyed by the store's name. */
export const countOfflineRows = (page: Page) =>
  page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('postil-taken')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const names = [...db.objectStoreNames]
    const counts = await Promise.all(
      names.map(
        (name) =>
          new Promise<number>((resolve) => {
            const request = db.transaction(name).objectStore(name).count()
            request.onsuccess = () => resolve(request.result)
          }),
      ),
    )
    db.close()
    return Object.fromEntries(names.map((name, i) => [name, counts[i]]))
  })
