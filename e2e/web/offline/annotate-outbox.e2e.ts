import { detail } from '@postil/testkit/detail.ts'
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import {
  expectLeft,
  openAnnotation,
  previousAnswerText,
  question,
  recordText,
  seedAnnotationDataset,
  storedAnswers,
  storedRecords,
} from '../fixtures/annotation.ts'
import { PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { expectStoredAnswers, expectStoredDrafts } from '../support/device.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()

let datasets = 0
const LABEL = {
  label: {
    title: 'Label',
    required: true,
    settings: { type: 'label_selection', options: ['Yes', 'No', 'Maybe'].map((text) => ({ value: text.toLowerCase(), text })) },
  },
}
const NOTE = { note: { title: 'Note', required: false, settings: { type: 'text', use_markdown: false } } }
const seed = (records = 5, questions: object = { ...LABEL, ...NOTE }) =>
  seedAnnotationDataset(team.server, {
    name: `outbox ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: questions as typeof LABEL,
    records: Array.from({ length: records }, (_, index) => ({ fields: { text: `Record ${index + 1}` } })),
  })

const open = async (id: string, username?: string) => {
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url, username, username && PASSWORD)
  await openAnnotation(opened.page, id)
  return opened
}
const isChosen = (page: Page, name: string) =>
  expect.poll(() => question(page, 'label').getByRole('radio', { name }).getAttribute('aria-checked')).toBe('true')
const unsent = (page: Page, wanted: string) => page.locator('header').getByText(wanted).waitFor()
const answered = (id: string, count: number) => expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(count)
/** Waits until the current record has this text. */
const isShown = (page: Page, text: string) => expect.poll(() => recordText(page)).toBe(text)
const isOwnAnswerUrl = (url: string | URL): boolean => String(url).endsWith('/responses/mine')
/**
 * Intercepts requests that send an answer, and responds to them with `status` and `body`. `times` is the number of requests to
 * intercept. By default, all are intercepted.
 */
const answerWith = (context: BrowserContext, status: number, body: object, options?: { times: number }) =>
  context.route(isOwnAnswerUrl, (route) => route.fulfill({ status, json: body }), options)

describe('answers', () => {
  test('given offline are stored, counted, survive a data reload and are sent once the network is back', async () => {
    const id = await seed()
    const { page, context, close } = await open(id)
    await context.setOffline(true)
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await page.keyboard.press('2')
    await page.keyboard.press('Enter')
    await expectLeft(page, 3)
    await unsent(page, ui('common:unsent.state', { count: 2 }))
    expect((await storedAnswers(team.server, id)).size).toBe(0)
    await context.setOffline(false)
    await answered(id, 2)
    expect([...(await storedAnswers(team.server, id)).values()].map(({ values }) => values['label']).toSorted()).toEqual([
      'no',
      'yes',
    ])
    await close()
  })

  test('survive closing the tab and are sent by the next one', async () => {
    const id = await seed()
    const { page, context, close } = await open(id)
    await context.setOffline(true)
    await page.keyboard.press('3')
    await page.keyboard.press('Enter')
    await unsent(page, ui('common:unsent.state', { count: 1 }))
    await expectStoredAnswers(page, 1)
    await page.close()
    await context.setOffline(false)
    const next = await context.newPage()
    await next.goto('/')
    await answered(id, 1)
    await close()
  })

  test('wait for a failing server, and the next record appears immediately', async () => {
    const id = await seed()
    const { page, context, close } = await open(id)
    await answerWith(context, 500, { detail: 'broken' })
    const first = await recordText(page)
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await expectLeft(page, 4)
    await expect.poll(() => recordText(page)).not.toBe(first)
    await page.getByText(previousAnswerText('submitted', 'kept')).waitFor()
    await context.unroute(isOwnAnswerUrl)
    await answered(id, 1)
    await page.getByText(ui('features/annotate:done.submitted'), { exact: true }).first().waitFor()
    await close()
  })

  test('that are refused bring their record back with the reason', async () => {
    const id = await seed()
    const { page, context, close } = await open(id)
    const first = await recordText(page)
    await answerWith(context, 422, { detail: 'This answer will not do' }, { times: 1 })
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await page.getByText(ui('features/annotate:issue.rejected')).first().waitFor()
    await expectLeft(page, 5)
    await page.getByRole('button', { name: ui('features/annotate:issue.show') }).click()
    await page.getByText('This answer will not do').waitFor()
    await isShown(page, first)
    await isChosen(page, 'Yes')
    await page.keyboard.press('2')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await answered(id, 1)
    expect([...(await storedAnswers(team.server, id)).values()][0]?.values).toEqual({ label: 'no' })
    await close()
  })

  detail('given in two tabs are shown side by side, and the annotator chooses', async () => {
    const id = await seed(1)
    const { page, close } = await open(id)
    const other = await open(id)
    await other.page.keyboard.press('2')
    await other.page.keyboard.press('Escape')
    await other.page.keyboard.press('Enter')
    await answered(id, 1)
    await page.keyboard.press('1')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: ui('features/annotate:issue.show') }).click()
    const conflict = page.getByRole('region', { name: ui('features/annotate:conflict.title') })
    await expect
      .poll(async () => (await conflict.innerText()).replace(/\s+/g, ' '))
      .toMatch(new RegExp(`${ui('features/annotate:conflict.mine')} .*Yes .*${ui('features/annotate:conflict.theirs')} .*No`))
    expect([...(await storedAnswers(team.server, id)).values()][0]?.values).toEqual({ label: 'no' })
    await conflict.getByRole('button', { name: ui('features/annotate:conflict.keepMine') }).click()
    await expect.poll(async () => [...(await storedAnswers(team.server, id)).values()][0]?.values).toEqual({ label: 'yes' })
    await conflict.waitFor({ state: 'detached' })
    await other.close()
    await close()
  })

  test("of one user are never sent with another user's session", async () => {
    const id = await seed()
    await seedUser(team.server, 'ben', 'annotator', [team.workspaceId])
    const { page, context, close } = await open(id)
    await context.setOffline(true)
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await unsent(page, ui('common:unsent.state', { count: 1 }))
    await expectStoredAnswers(page, 1)
    // The session must change before the page goes online. Otherwise, the page would send the answer in the previous session.
    await createSession(page, team.server.url, 'ben', PASSWORD)
    await context.setOffline(false)
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await page.waitForTimeout(3000)
    expect((await storedAnswers(team.server, id)).size).toBe(0)
    await createSession(page, team.server.url)
    await page.reload()
    await answered(id, 1)
    await close()
  })
})

describe('undo', () => {
  test('restores the record with its previous answer, and removes the answer from the server', async () => {
    const id = await seed()
    const { page, close } = await open(id)
    const first = await recordText(page)
    await page.keyboard.press('1')
    await question(page, 'note').locator('textarea').fill('as I saw it')
    await page.keyboard.press('Control+Enter')
    await answered(id, 1)
    await page.keyboard.press('Control+z')
    await expectLeft(page, 5)
    await isShown(page, first)
    await expect.poll(() => question(page, 'note').locator('textarea').inputValue()).toBe('as I saw it')
    await answered(id, 0)
    await page.keyboard.press('Enter')
    await answered(id, 1)
    await close()
  })

  detail('is offered when a single digit submits', async () => {
    const id = await seed(3, LABEL)
    const { page, close } = await open(id)
    const first = await recordText(page)
    await page.keyboard.press('2')
    await page.keyboard.press('Enter')
    await expectLeft(page, 2)
    await page.getByRole('button', { name: ui('features/annotate:action.undo') }).click()
    await expectLeft(page, 3)
    await isShown(page, first)
    await close()
  })

  detail('goes back step by step in the form, and forward again', async () => {
    const id = await seed()
    const { page, close } = await open(id)
    const on = async () => (await question(page, 'label').locator('[aria-checked=true]').allInnerTexts()).join()
    await page.keyboard.press('1')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('2')
    await expect.poll(on).toContain('No')
    await page.keyboard.press('Control+z')
    await expect.poll(on).toContain('Yes')
    await page.keyboard.press('Control+z')
    await expect.poll(on).toBe('')
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(on).toContain('Yes')
    await close()
  })

  detail('restores a discarded draft', async () => {
    const id = await seed()
    const { page, close } = await open(id)
    await page.keyboard.press('1')
    await page.keyboard.press('Control+s')
    await answered(id, 1)
    await page.keyboard.press('Backspace')
    await expect.poll(async () => [...(await storedAnswers(team.server, id)).values()][0]?.status).toBe('discarded')
    await page.keyboard.press('Control+z')
    await expect
      .poll(async () => [...(await storedAnswers(team.server, id)).values()][0])
      .toEqual({ status: 'draft', values: { label: 'yes' } })
    await close()
  })
})

describe('edits', () => {
  test('are stored as they are made, marked when restored, and can be dropped', async () => {
    const id = await seed()
    const { page, context, close } = await open(id)
    const first = await recordText(page)
    await page.keyboard.press('3')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await page.getByText(ui('features/annotate:edits.unsaved')).waitFor()
    await expectStoredDrafts(page, 1)
    await page.close()
    const next = await context.newPage()
    await openAnnotation(next, id)
    await isShown(next, first)
    await next.getByText(ui('features/annotate:edits.unsaved')).waitFor()
    await isChosen(next, 'Maybe')
    await next.getByRole('button', { name: ui('features/annotate:edits.discard') }).click()
    await expect.poll(() => question(next, 'label').locator('[aria-checked=true]').count()).toBe(0)
    await expectStoredDrafts(next, 0)
    await next.reload()
    await next.locator('[data-question]').first().waitFor()
    expect(await next.getByText(ui('features/annotate:edits.unsaved')).count()).toBe(0)
    expect((await storedRecords(team.server, id)).every(({ responses }) => responses.length === 0)).toBe(true)
    await close()
  })

  detail('made in two tabs are both restored, even after one was saved', async () => {
    const id = await seed(1)
    const { page, context, close } = await open(id)
    const other = await context.newPage()
    await openAnnotation(other, id)
    const note = question(page, 'note').locator('textarea')
    await note.fill('a long thought')
    await page.getByText(ui('features/annotate:save.edited')).waitFor()
    await expectStoredDrafts(page, 1)
    await other.keyboard.press('1')
    await isChosen(other, 'Yes')
    await other.getByText(ui('features/annotate:save.edited')).waitFor()
    await page.reload()
    await isChosen(page, 'Yes')
    await expect.poll(() => note.inputValue()).toBe('a long thought')
    await page.goto('about:blank')
    await other.keyboard.press('Control+s')
    await answered(id, 1)
    await openAnnotation(page, id, '?status=draft')
    await isChosen(page, 'Yes')
    await expect.poll(() => note.inputValue()).toBe('a long thought')
    await close()
  })

  detail('are not shown to another user of the same browser', async () => {
    const id = await seed()
    await seedUser(team.server, 'cleo', 'annotator', [team.workspaceId])
    const { page, close } = await open(id)
    await page.keyboard.press('3')
    await page.getByText(ui('features/annotate:save.edited')).waitFor()
    await expectStoredDrafts(page, 1)
    await createSession(page, team.server.url, 'cleo', PASSWORD)
    await openAnnotation(page, id)
    for (let i = 0; i < 5; i += 1) {
      expect(await question(page, 'label').locator('[aria-checked=true]').count()).toBe(0)
      await page.keyboard.press('ArrowRight')
    }
    await close()
  })
})
