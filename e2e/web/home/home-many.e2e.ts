import { variants } from '@postil/testkit/run-size.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage, PHONE } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, seedDataset, seedWorkspace } from '../fixtures/seed.ts'
import { createSession } from '../support/sign-in.ts'

const MANY = 500
let server: RunningServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  const team = await seedWorkspace(server, 'team')
  for (const name of ['arts', 'Berlin', 'history', 'law', 'maps', 'music', 'news', 'sport']) await seedWorkspace(server, name)
  await seedDataset(server, { name: 'the one that waits', workspaceId: team, records: 1 })
  for (let number = 1; number < MANY; number += 1) {
    await callAsOwner(server, 'POST', '/datasets', { name: `set ${number}`, workspace_id: team })
  }
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const names = (page: Page) => page.locator('main li a')

test.each(
  variants(1, [
    [1440, {}],
    [390, PHONE],
  ] as const),
)('five hundred datasets are loaded together, and searched and sorted while typing, at %i px', async (_, size) => {
  const { page, close, complaints } = await openPage(browser, server.url, size)
  await createSession(page, server.url)
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/v1/me/') || pathname.startsWith('/api/v1/datasets')) calls.push(pathname)
  })
  await page.goto('/')
  await expect.poll(() => names(page).count()).toBe(MANY)
  // On a slow machine, the list may expire before it is rendered and is then requested again. The datasets are never requested
  // one by one. The user's jobs are requested once the page is idle.
  expect([...new Set(calls)].filter((call) => call !== '/api/v1/me/jobs')).toEqual(['/api/v1/me/home'])
  await expect.poll(() => names(page).first().innerText()).toBe('the one that waits')
  await page.getByRole('searchbox').pressSequentially('set 49')
  await expect.poll(() => names(page).allInnerTexts()).toHaveLength(11)
  await page
    .getByRole('status')
    .getByText(ui('features/home:countOf', { shown: 11, total: MANY }))
    .waitFor()
  await page.goto('/?sort=name.desc')
  await expect.poll(() => names(page).nth(1).innerText()).toBe('set 499')
  await names(page).last().scrollIntoViewIfNeeded()
  await expect.poll(() => names(page).last().innerText()).toBe('set 1')
  await names(page).last().click()
  await page.getByRole('heading', { name: ui('features/create:titleOfDraft') }).waitFor()
  expect(complaints()).toEqual([])
  await close()
})

test('many workspaces can be searched by name', async () => {
  const { page, close, complaints } = await openPage(browser, server.url)
  await createSession(page, server.url)
  await page.goto('/')
  await page.getByRole('button', { name: ui('features/home:workspaces') }).click()
  const list = page.getByRole('dialog', { name: ui('features/home:workspaces') })
  const shown = () => list.locator('label:not(.visually-hidden)').allTextContents()
  await expect.poll(shown).toHaveLength(10)
  await list.getByRole('textbox', { name: ui('features/home:searchWorkspaces') }).fill('berl')
  await expect.poll(shown).toEqual(['Berlin0'])
  await list.getByRole('textbox').fill('no such')
  await list.getByText(ui('features/home:noWorkspaceFound', { query: 'no such' })).waitFor()
  await list.getByRole('textbox').fill('TEA')
  await expect.poll(shown).toEqual([`team${MANY}`])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.waitForURL('**/?workspaces=team')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: ui('features/home:workspace', { name: 'team' }), exact: true }).waitFor()
  const nowhere = page.getByText(ui('features/home:nothingFoundHint'))
  await page.getByRole('searchbox').fill('no such')
  await nowhere.waitFor()
  await page.getByRole('button', { name: ui('features/home:workspace', { name: 'team' }) }).click()
  await list.getByRole('checkbox', { name: 'team' }).click()
  await page.getByText(ui('features/home:noNameHint')).waitFor()
  expect(await nowhere.count()).toBe(0)
  expect(complaints()).toEqual([])
  await close()
})
