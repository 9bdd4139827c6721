import { detail } from '@postil/testkit/detail.ts'
import { variants } from '@postil/testkit/run-size.ts'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, type PageOptions, PHONE } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import {
  openAnnotation,
  previousAnswerText,
  QUESTIONS,
  question,
  RECORD,
  seedAnnotationDataset,
  storedRecords,
} from '../fixtures/annotation.ts'
import { callAsOwner } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'
import { waitForKeyFocus } from '../support/wait-for-key-focus.ts'

const team = setUpSharedTeam()

let datasets = 0
const seed = () =>
  seedAnnotationDataset(team.server, {
    name: `rejected ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: { tone: QUESTIONS.tone, note: QUESTIONS.note },
    records: Array.from({ length: 5 }, (_, index) => ({ fields: { text: `Record ${index + 1}` } })),
  })

const open = async (id: string, options: PageOptions = {}) => {
  const opened = await openPage(team.browser, team.server.url, options)
  await createSession(opened.page, team.server.url)
  await openAnnotation(opened.page, id)
  return opened
}

const isOwnAnswerUrl = (url: string | URL): boolean => String(url).endsWith('/responses/mine')
const rejectAnswers = (context: BrowserContext, times: number) =>
  context.route(isOwnAnswerUrl, (route) => route.fulfill({ status: 422, json: { detail: 'This answer will not do' } }), { times })
const conflictAnswers = (context: BrowserContext, times: number) =>
  context.route(isOwnAnswerUrl, (route) => route.fulfill({ status: 409, json: { detail: 'changed', response: null } }), { times })
/** Submits an answer to the first record, which the server rejects, and shows the record again. */
const answerAndBeRejected = async (page: Page): Promise<void> => {
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: ui('features/annotate:issue.show') }).click()
}
const noticeOf = (page: Page, text: string) => page.getByRole('region', { name: ui('common:toast.region') }).getByText(text)

test('rejected answers are reported on every page, restored only in their own dataset, and outlive other notices', async () => {
  const [id, other] = [await seed(), await seed()]
  const { page, context, close } = await open(id)
  const rejected = noticeOf(page, ui('features/annotate:issue.rejected'))
  const elsewhere = page.getByRole('button', { name: ui('common:unsent.withIssue', { count: 1 }) })
  await rejectAnswers(context, 1)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await rejected.waitFor()
  expect(await elsewhere.count()).toBe(0)
  // Another error replaces temporary messages, but not problems that still exist.
  await context.route('**/api/v1/session', (route) => route.fulfill({ status: 500, json: { detail: 'broken' } }))
  await page.getByRole('button', { name: uiPattern('common:user.menu') }).click()
  await page.getByRole('menuitem', { name: ui('common:user.signOut') }).click()
  await page
    .getByRole('dialog')
    .getByText(uiPattern('common:unsent.explainIssue', { count: 1 }))
    .waitFor()
  await page.getByRole('button', { name: ui('common:unsent.leave') }).click()
  await noticeOf(page, ui('common:validations.http.500.message')).waitFor()
  expect(await rejected.count()).toBe(1)
  await context.unroute('**/api/v1/session')
  await page.goto('/')
  await elsewhere.waitFor()
  await openAnnotation(page, other)
  await elsewhere.waitFor()
  expect(await rejected.count()).toBe(0)
  await elsewhere.click()
  await page.getByRole('dialog').getByRole('link', { name: 'rejected 1' }).click()
  await page.getByText('This answer will not do').waitFor()
  await page.getByText('ERROR_CREATING_RECORD_RESPONSE', { exact: true }).waitFor()
  await rejected.waitFor({ state: 'detached' })
  expect(page.url()).toContain(id)
  await close()
})

detail('answers rejected one after the other are each reported, even after the first notice was closed', async () => {
  const id = await seed()
  const { page, context, close } = await open(id)
  const notice = noticeOf(page, ui('features/annotate:issue.rejected'))
  await rejectAnswers(context, 2)
  for (const key of ['1', '2']) {
    await page.keyboard.press(key)
    await page.keyboard.press('Enter')
    await notice.waitFor()
    await page.getByRole('button', { name: ui('common:action.close') }).click()
    await notice.waitFor({ state: 'detached' })
    await page.locator('#main').focus()
  }
  await close()
})

/**
 * Lets a test check afterward that another notice didn't appear. Copies the record and waits for the notice about that, which
 * comes after all earlier notices. Then closes this notice.
 */
const showDetails = async (page: Page): Promise<void> => {
  await page
    .getByRole('button', { name: ui('features/annotate:record.menu') })
    .first()
    .click()
  await page.getByRole('menuitem', { name: ui('features/annotate:record.copy') }).click()
  await noticeOf(page, ui('features/annotate:record.copied')).waitFor()
  await page
    .getByRole('region', { name: ui('common:toast.region') })
    .getByRole('button', { name: ui('common:action.close') })
    .last()
    .click()
  await noticeOf(page, ui('features/annotate:record.copied')).waitFor({ state: 'detached' })
}

test.each(
  variants(1, [
    { cause: rejectAnswers, title: ui('features/annotate:rejected.title'), notice: ui('features/annotate:issue.rejected') },
    { cause: conflictAnswers, title: ui('features/annotate:conflict.title'), notice: ui('features/annotate:issue.conflict') },
  ]),
)(
  '$title: the record shows the problem once, and other pages show it if it stays unresolved',
  async ({ cause, title, notice }) => {
    const { page, context, close } = await open(await seed(), { permissions: ['clipboard-read', 'clipboard-write'] })
    const announced = page.locator('.visually-hidden[aria-live][role=alert]')
    await cause(context, 1)
    await page.keyboard.press('1')
    // Saving a draft keeps the record on the screen.
    await page.keyboard.press('Control+s')
    await page.getByRole('form').getByText(title).waitFor()
    await expect.poll(() => announced.textContent()).toBe(notice)
    await showDetails(page)
    expect(await noticeOf(page, notice).count()).toBe(0)
    await page.getByRole('button', { name: uiPattern('features/annotate:pager.next') }).click()
    await noticeOf(page, notice).waitFor()
    await page.getByRole('button', { name: ui('features/annotate:issue.show') }).click()
    await page.getByRole('form').getByText(title).waitFor()
    await noticeOf(page, notice).waitFor({ state: 'detached' })
    await close()
  },
)

detail('an answer whose record counts as visible late is announced only once', async () => {
  const { page, context, close } = await open(await seed(), { isNew: true })
  // Simulates a busy machine, on which the notice is shown before the browser reports that the record is visible.
  await page.addInitScript(() => {
    const Native = window.IntersectionObserver
    window.IntersectionObserver = class extends Native {
      constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        super((entries, observer) => void setTimeout(() => callback(entries, observer), 400), options)
      }
    }
  })
  await page.reload()
  await waitForKeyFocus(page)
  const said = await page.evaluateHandle(() => {
    const texts: string[] = []
    const region = document.querySelector('.visually-hidden[aria-live][role=alert]') as Element
    new MutationObserver(() => texts.push(region.textContent ?? '')).observe(region, { childList: true })
    return texts
  })
  const notice = noticeOf(page, ui('features/annotate:issue.conflict'))
  await conflictAnswers(context, 1)
  await page.keyboard.press('1')
  await page.keyboard.press('Control+s')
  await notice.waitFor()
  await notice.waitFor({ state: 'detached' })
  // If there were a second announcement, it would come within a second.
  await page.waitForTimeout(1000)
  expect(await said.jsonValue()).toEqual([ui('features/annotate:issue.conflict')])
  await close()
})

detail('below the form of a rejected answer, the last action doesn’t repeat the rejection', async () => {
  const { page, context, close } = await open(await seed())
  await rejectAnswers(context, 1)
  await answerAndBeRejected(page)
  await page.getByText(ui('features/annotate:save.rejected')).waitFor()
  await page.getByRole('button', { name: ui('features/annotate:action.undo') }).waitFor()
  expect(await page.getByText(previousAnswerText('submitted', 'rejected')).count()).toBe(0)
  await close()
})

detail('a card among several records shows its own rejected answer, and a link leads to one out of view', async () => {
  const id = await seedAnnotationDataset(team.server, {
    name: `rejected ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: { tone: QUESTIONS.tone },
    records: Array.from({ length: 10 }, (_, index) => ({ fields: { text: `Record ${index + 1}` } })),
  })
  const { page, context, close } = await open(id, { permissions: ['clipboard-read', 'clipboard-write'] })
  await openAnnotation(page, id, '?page=1~10')
  const box = (at: number) =>
    page
      .getByRole('region', { name: ui('features/annotate:bulk.records') })
      .getByRole('checkbox')
      .nth(at)
  const notice = noticeOf(page, ui('features/annotate:issue.rejected'))
  await rejectAnswers(context, 1)
  await box(0).check()
  await question(page, 'tone').getByText('Positive').click()
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 1 }) }).click()
  await page.getByText('This answer will not do').waitFor()
  await showDetails(page)
  expect(await notice.count()).toBe(0)
  await rejectAnswers(context, 1)
  await box(9).check()
  await page.getByRole('region', { name: ui('features/annotate:bulk.records') }).evaluate((list) => list.scrollTo({ top: 0 }))
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 1 }) }).click()
  await notice.waitFor()
  await page.getByRole('button', { name: ui('features/annotate:issue.show') }).click()
  const isSeen = () =>
    box(9).evaluate((element) => {
      const { left, top } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(left + 4, top + 4))
    })
  await expect.poll(isSeen).toBe(true)
  await notice.waitFor({ state: 'detached' })
  await close()
})

detail('resolving an answer by keyboard moves the focus to the first question', async () => {
  const ways = [
    { cause: rejectAnswers, name: ui('features/annotate:rejected.drop') },
    { cause: conflictAnswers, name: ui('features/annotate:conflict.keepMine') },
    { cause: conflictAnswers, name: ui('features/annotate:conflict.takeTheirs') },
  ]
  for (const { cause, name } of ways) {
    const { page, context, close } = await open(await seed())
    await cause(context, 1)
    await answerAndBeRejected(page)
    const button = page.getByRole('button', { name })
    await button.press('Enter')
    await button.waitFor({ state: 'detached' })
    await expect.poll(() => question(page, 'tone').evaluate((first) => first === document.activeElement)).toBe(true)
    await close()
  }
})

detail('a conflict marks the questions that differ, and the parts of their values', async () => {
  const id = await seed()
  const { page, close } = await open(id)
  const text = await page
    .locator(RECORD)
    .getByText(/^Record \d$/)
    .innerText()
  const records = await storedRecords(team.server, id)
  const recordId = records.find(({ fields }) => fields['text'] === text)?.id
  await page.keyboard.press('1')
  await question(page, 'note').getByRole('textbox').fill('A red house')
  await callAsOwner(team.server, 'POST', `/records/${recordId}/responses`, {
    status: 'submitted',
    values: { tone: { value: 'neutral' }, note: { value: 'A big red house' } },
  })
  await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
  await page.getByRole('button', { name: ui('features/annotate:issue.show') }).click()
  const conflict = page.getByRole('region', { name: ui('features/annotate:conflict.title') })
  await conflict.waitFor()
  expect(await conflict.getByText(ui('features/annotate:conflict.differs')).count()).toBe(4)
  expect((await conflict.locator('mark').allTextContents()).map((part) => part.trim())).toEqual([
    expect.any(String),
    expect.any(String),
    'big',
  ])
  await close()
})

detail('on a phone, a conflict is scrolled into view', async () => {
  const { page, context, close } = await open(await seed(), PHONE)
  await conflictAnswers(context, 1)
  await answerAndBeRejected(page)
  const conflict = page.getByRole('region', { name: ui('features/annotate:conflict.title') })
  for (const part of [
    conflict.getByRole('heading').first(),
    conflict.getByRole('button', { name: ui('features/annotate:conflict.keepMine') }),
  ]) {
    await part.waitFor()
    const isSeen = () =>
      part.evaluate((element) => {
        const { left, top, bottom } = element.getBoundingClientRect()
        return [top, bottom - 1].every((y) => element.contains(document.elementFromPoint(left + 8, y)))
      })
    await expect.poll(isSeen).toBe(true)
  }
  await close()
})

detail('the sign-out dialog for unsent answers updates once they are sent', async () => {
  const { page, context, close } = await open(await seed())
  const menu = page.getByRole('button', { name: uiPattern('common:user.menu') })
  await menu.waitFor()
  await context.setOffline(true)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await page.getByText(ui('common:unsent.state', { count: 1 })).waitFor()
  await menu.click()
  await page.getByRole('menuitem', { name: ui('common:user.signOut') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(uiPattern('common:unsent.explain', { count: 1 })).waitFor()
  await context.setOffline(false)
  await dialog.getByText(ui('common:unsent.sent')).waitFor()
  expect(await dialog.getByText(uiPattern('common:unsent.explain')).count()).toBe(0)
  await dialog.getByRole('button', { name: ui('common:user.signOut'), exact: true }).click()
  await page.waitForURL('**/sign-in')
  await close()
})
