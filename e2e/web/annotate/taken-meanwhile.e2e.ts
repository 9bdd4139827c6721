import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { givenAnnotation, LABEL_AND_NOTE, left, openAnnotation, rangeText, recordText } from '../ground/annotation.ts'
import { setUpTeam } from '../ground/team.ts'
import { onDisk } from '../support/device.ts'
import { hold } from '../support/hold.ts'
import { keysAct } from '../support/keys-act.ts'
import { haveSession } from '../support/sign-in.ts'

/*
 * The server takes an answer when its record's screen has been left, and something else is shown or about to be.
 */

const team = setUpTeam()

const isAnswer = (url: string): boolean => url.endsWith('/responses/mine')

/** The screen of a dataset with twelve records. */
const open = async (name: string) => {
  const id = await givenAnnotation(team.server, {
    name,
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    records: Array.from({ length: 12 }, (_, index) => ({ fields: { text: `Record ${index + 1}` } })),
  })
  const { page, close } = await openPage(team.browser, team.server.url)
  await haveSession(page, team.server.url)
  // What is asked for grows old within seconds, which a slow machine takes.
  await page.addInitScript(() => {
    const now = Date.now()
    Date.now = () => now
  })
  await openAnnotation(page, id)
  await keysAct(page)
  return { id, page, close }
}

/** Answers the record on the screen. @returns its text */
const answer = async (page: Page): Promise<string> => {
  const text = await recordText(page)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  return text
}

/** Lets the answer go that is held, and waits until the server has taken it. */
const arrives = async (page: Page, go: () => void): Promise<void> => {
  const taken = page.waitForResponse((response) => isAnswer(response.url()) && response.request().method() === 'PUT')
  go()
  // NOTE: a page that is left goes on sending what is under way, past the test, and then the same comes a second time
  expect([200, 201]).toContain((await taken).status())
}

/** An answer is on its way when home is shown. */
const leaveInHaste = async (page: Page, name: string) => {
  const { sent, go } = await hold(page, 'PUT', isAnswer)
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

test('home counts an answer that arrives after its screen was left', async () => {
  const { page, close } = await open('counted')
  const { row, go } = await leaveInHaste(page, 'counted')
  await arrives(page, go)
  await row.getByText(ui('features/home:left', { count: 11, number: 11 })).waitFor()
  await close()
})

test.each([
  { list: 'handed out', query: '', asked: '/queue', told: 11 },
  { list: 'searched', query: '?page=1~10', asked: '/records/search', told: rangeText(1, 10, 11) },
])(
  'a record whose answer arrives after its list was asked for before the scripts of the page are there is not asked about again: $list',
  async ({ list, query, asked, told }) => {
    const { id, page, close } = await open(list)
    await page.route('**/responses/mine', (route) => route.fulfill({ status: 503 }))
    const answered = await answer(page)
    await onDisk(page, 1)
    await page.goto('about:blank')
    await page.unroute('**/responses/mine')
    const kept = await hold(page, 'PUT', isAnswer)
    const setup = await hold(page, 'GET', (url) => url.endsWith('/annotation'))
    const records = page.waitForResponse((response) => response.url().includes(asked) && response.ok())
    await page.goto(`/dataset/${id}/annotation-mode${query}`)
    await records
    await kept.sent
    await arrives(page, kept.go)
    // What counts is that the page has the answer too.
    await onDisk(page, 0)
    setup.go()
    await left(page, told)
    expect(await page.locator('main').innerText()).not.toMatch(new RegExp(`${answered}$`, 'm'))
    await close()
  },
)
