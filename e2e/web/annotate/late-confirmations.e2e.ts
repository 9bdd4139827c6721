import { variants } from '@postil/testkit/run-size.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import {
  expectLeft,
  LABEL_AND_NOTE,
  openAnnotation,
  rangeText,
  recordText,
  seedAnnotationDataset,
} from '../fixtures/annotation.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { expectStoredAnswers } from '../support/device.ts'
import { holdRequest } from '../support/hold-request.ts'
import { createSession } from '../support/sign-in.ts'
import { waitForKeyFocus } from '../support/wait-for-key-focus.ts'

/* In these tests, the server stores an answer late: the page has already left the answer's record and shows or loads something
   else. */

const team = setUpSharedTeam()

const isAnswer = (url: string): boolean => url.endsWith('/responses/mine')

const open = async (name: string) => {
  const id = await seedAnnotationDataset(team.server, {
    name,
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    records: Array.from({ length: 12 }, (_, index) => ({ fields: { text: `Record ${index + 1}` } })),
  })
  const { page, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
  // Stops the clock, because prefetched data expires within seconds and a slow machine takes longer.
  await page.addInitScript(() => {
    const now = Date.now()
    Date.now = () => now
  })
  await openAnnotation(page, id)
  await waitForKeyFocus(page)
  return { id, page, close }
}

/** Answers the current record. @returns its text */
const answer = async (page: Page): Promise<string> => {
  const text = await recordText(page)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  return text
}

const waitForConfirmation = async (page: Page, go: () => void): Promise<void> => {
  const confirmed = page.waitForResponse((response) => isAnswer(response.url()) && response.request().method() === 'PUT')
  go()
  // A closed page keeps sending unfinished requests after the test ends, so the same answer can arrive twice.
  expect([200, 201]).toContain((await confirmed).status())
}

/** Opens the home page while an answer is being sent. */
const leaveImmediately = async (page: Page, name: string) => {
  const { sent, go } = await holdRequest(page, 'PUT', isAnswer)
  await answer(page)
  await sent
  await page
    .getByRole('link', { name: ui('common:nav.home') })
    .first()
    .click()
  const row = page.locator('li').filter({ has: page.getByRole('link', { name, exact: true }) })
  await row.getByText(ui('features/home:left', { count: 12, number: 12 })).waitFor()
  return { row, go }
}

test('home counts an answer that is confirmed after leaving the annotation screen', async () => {
  const { page, close } = await open('counted')
  const { row, go } = await leaveImmediately(page, 'counted')
  await waitForConfirmation(page, go)
  await row.getByText(ui('features/home:left', { count: 11, number: 11 })).waitFor()
  await close()
})

test.each(
  variants(1, [
    { list: 'handed out', query: '', requestPath: '/queue', expectedLeft: 11 },
    { list: 'searched', query: '?page=1~10', requestPath: '/records/search', expectedLeft: rangeText(1, 10, 11) },
  ]),
)(
  'a record answered after an early request for its list isn’t shown again: $list',
  async ({ list, query, requestPath, expectedLeft }) => {
    const { id, page, close } = await open(list)
    await page.route('**/responses/mine', (route) => route.fulfill({ status: 503 }))
    const answered = await answer(page)
    await expectStoredAnswers(page, 1)
    await page.goto('about:blank')
    await page.unroute('**/responses/mine')
    const kept = await holdRequest(page, 'PUT', isAnswer)
    const setup = await holdRequest(page, 'GET', (url) => url.endsWith('/annotation'))
    const records = page.waitForResponse((response) => response.url().includes(requestPath) && response.ok())
    await page.goto(`/dataset/${id}/annotation-mode${query}`)
    await records
    await kept.sent
    await waitForConfirmation(page, kept.go)
    // The page must have received the response too.
    await expectStoredAnswers(page, 0)
    setup.go()
    await expectLeft(page, expectedLeft)
    expect(await page.locator('main').innerText()).not.toMatch(new RegExp(`${answered}$`, 'm'))
    await close()
  },
)
