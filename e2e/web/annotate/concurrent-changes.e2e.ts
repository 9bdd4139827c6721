import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openPage, type PageOptions } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { expectLeft, LABEL_AND_NOTE, openAnnotation, seedAnnotationDataset, storedAnswers } from '../fixtures/annotation.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { openItem, openPanel } from '../support/filtering.ts'
import { saveForOffline } from '../support/offline.ts'
import { createSession } from '../support/sign-in.ts'
import { waitForKeyFocus } from '../support/wait-for-key-focus.ts'

const team = setUpSharedTeam()

const SOURCES = ['blog', 'book', 'web']
const seed = (name: string, count = 12) =>
  seedAnnotationDataset(team.server, {
    name,
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    metadata: [{ name: 'source', title: 'Source', settings: { type: 'terms' } }],
    records: Array.from({ length: count }, (_, index) => ({
      fields: { text: `Record ${index + 1}` },
      metadata: { source: SOURCES[index % SOURCES.length] },
    })),
  })

const open = async (id: string, query?: string, options: PageOptions = {}) => {
  const opened = await openPage(team.browser, team.server.url, options)
  await createSession(opened.page, team.server.url)
  await openAnnotation(opened.page, id, query)
  return opened
}

/** Clicks an element after the browser's address has changed but before the page renders the change. */
const clickDuringNavigation = (page: Page, part: string, selector: string): Promise<void> =>
  page.evaluate(
    ([urlPart, clickSelector]) => {
      const { pushState } = history
      history.pushState = (...address) => {
        pushState.apply(history, address)
        if (!location.search.includes(urlPart!)) return
        history.pushState = pushState
        document.querySelector<HTMLElement>(clickSelector!)!.click()
      }
    },
    [part, selector],
  )

detail('a filter selected while the previous filter still updates the address is applied too', async () => {
  const { page, close, complaints } = await open(await seed('picked'))
  await expectLeft(page, 12)
  await openPanel(page, ui('features/annotate:filters.title'))
  const item = await openItem(page, 'Source')
  await item.getByRole('checkbox', { name: 'book' }).waitFor()
  await clickDuringNavigation(page, 'blog', 'li[data-open] label:nth-of-type(2) input, li[data-open] li:nth-child(2) input')
  await item.getByRole('checkbox', { name: 'blog' }).check()
  await expect.poll(() => new URL(page.url()).search).toContain('book')
  expect(await item.getByRole('checkbox', { checked: true }).count()).toBe(2)
  await expectLeft(page, 8)
  expect(complaints()).toEqual([])
  await close()
})

detail('saved offline records that are sent together are counted together', async () => {
  const id = await seed('taken', 30)
  const { page, context, close } = await open(id, undefined, { serviceWorkers: 'allow' })
  await saveForOffline(page, 25)
  await context.setOffline(true)
  await page.evaluate(() => {
    const { count } = IDBIndex.prototype
    const expectedCount = document.documentElement.dataset
    IDBIndex.prototype.count = function (this: IDBIndex, ...of) {
      expectedCount['counted'] = String(Number(expectedCount['counted'] ?? 0) + 1)
      return count.apply(this, of)
    }
  })
  for (let number = 1; number <= 10; number += 1) {
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await page
      .getByText(ui('common:unsent.state', { count: number }))
      .first()
      .waitFor()
  }
  await context.setOffline(false)
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(10)
  await page.getByRole('button', { name: ui('features/annotate:take.mark', { formatted: 15 }) }).waitFor()
  expect(await page.evaluate(() => Number(document.documentElement.dataset['counted']))).toBeLessThan(4)
  await close()
})

detail('a saved offline record that is answered before the page is idle is removed from the device too', async () => {
  const id = await seed('busy', 12)
  const { page, close } = await open(id, undefined, { serviceWorkers: 'allow' })
  await saveForOffline(page, 10)
  await page.addInitScript(() => {
    window.requestIdleCallback = (work) => {
      addEventListener('calm', () => work({ didTimeout: false, timeRemaining: () => 1 }))
      return 0
    }
  })
  await openAnnotation(page, id)
  await waitForKeyFocus(page)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(1)
  await expectLeft(page, 11)
  await page.evaluate(() => dispatchEvent(new Event('calm')))
  const name = `${ui('features/annotate:take.title')}: ${ui('features/annotate:take.mark', { formatted: 9 })}`
  await page.getByRole('button', { name, exact: true }).waitFor()
  await close()
})
