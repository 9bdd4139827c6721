import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, type PageOptions } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { answers, givenAnnotation, LABEL_AND_NOTE, left, openAnnotation } from '../ground/annotation.ts'
import { setUpTeam } from '../ground/team.ts'
import { openItem, openPanel } from '../support/filtering.ts'
import { keysAct } from '../support/keys-act.ts'
import { haveSession } from '../support/sign-in.ts'
import { takeAlong } from '../support/taking-along.ts'

const team = setUpTeam()

const SOURCES = ['blog', 'book', 'web']
const given = (name: string, count = 12) =>
  givenAnnotation(team.server, {
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
  await haveSession(opened.page, team.server.url)
  await openAnnotation(opened.page, id, query)
  return opened
}

/** Presses something while an address is on its way: it is that of the browser already, and nothing is drawn of it yet. */
const pressOnAddress = (page: Page, part: string, selector: string): Promise<void> =>
  page.evaluate(
    ([wanted, pressed]) => {
      const { pushState } = history
      history.pushState = (...address) => {
        pushState.apply(history, address)
        if (!location.search.includes(wanted!)) return
        history.pushState = pushState
        document.querySelector<HTMLElement>(pressed!)!.click()
      }
    },
    [part, selector],
  )

test('a filter that is picked while the address of the one before is on its way is on too', async () => {
  const { page, close, complaints } = await open(await given('picked'))
  await left(page, 12)
  await openPanel(page, ui('features/annotate:filters.title'))
  const item = await openItem(page, 'Source')
  await item.getByRole('checkbox', { name: 'book' }).waitFor()
  await pressOnAddress(page, 'blog', 'li[data-open] label:nth-of-type(2) input, li[data-open] li:nth-child(2) input')
  await item.getByRole('checkbox', { name: 'blog' }).check()
  await expect.poll(() => new URL(page.url()).search).toContain('book')
  expect(await item.getByRole('checkbox', { checked: true }).count()).toBe(2)
  await left(page, 8)
  expect(complaints()).toEqual([])
  await close()
})

test('records that were taken along and are sent together are counted together', async () => {
  const id = await given('taken', 30)
  const { page, context, close } = await open(id, undefined, { serviceWorkers: 'allow' })
  await takeAlong(page, 25)
  await context.setOffline(true)
  await page.evaluate(() => {
    const { count } = IDBIndex.prototype
    const counted = document.documentElement.dataset
    IDBIndex.prototype.count = function (this: IDBIndex, ...of) {
      counted['counted'] = String(Number(counted['counted'] ?? 0) + 1)
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
  await expect.poll(async () => (await answers(team.server, id)).size).toBe(10)
  await page.getByRole('button', { name: ui('features/annotate:take.mark', { formatted: 15 }) }).waitFor()
  expect(await page.evaluate(() => Number(document.documentElement.dataset['counted']))).toBeLessThan(4)
  await close()
})

test('a record that was taken along and is answered before the page is idle leaves the device too', async () => {
  const id = await given('busy', 12)
  const { page, close } = await open(id, undefined, { serviceWorkers: 'allow' })
  await takeAlong(page, 10)
  await page.addInitScript(() => {
    window.requestIdleCallback = (work) => {
      addEventListener('calm', () => work({ didTimeout: false, timeRemaining: () => 1 }))
      return 0
    }
  })
  await openAnnotation(page, id)
  await keysAct(page)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await answers(team.server, id)).size).toBe(1)
  await left(page, 11)
  await page.evaluate(() => dispatchEvent(new Event('calm')))
  const name = `${ui('features/annotate:take.title')}: ${ui('features/annotate:take.mark', { formatted: 9 })}`
  await page.getByRole('button', { name, exact: true }).waitFor()
  await close()
})
