import { variants } from '@postil/testkit/run-size.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, openPage, PHONE } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { LABEL_AND_NOTE, question, seedAnnotationDataset, storedRecords } from '../fixtures/annotation.ts'
import { callAsOwner } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { box } from '../support/bulk.ts'
import { createSession } from '../support/sign-in.ts'
import { stableBox } from '../support/stable-box.ts'

const team = setUpSharedTeam()

let datasets = 0
const seed = (records: number) =>
  seedAnnotationDataset(team.server, {
    name: `outcomes ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    metadata: [{ name: 'n', title: 'Number', settings: { type: 'integer' } }],
    records: Array.from({ length: records }, (_, index) => ({
      fields: { text: `Ada of record ${index + 1}.` },
      external_id: String(index + 1),
      metadata: { n: index + 1 },
    })),
  })
const open = async (id: string, settings: Parameters<typeof openPage>[2] = {}) => {
  const opened = await openPage(team.browser, team.server.url, settings)
  await createSession(opened.page, team.server.url)
  await opened.page.goto(`/dataset/${id}/annotation-mode?page=1~10&sort=metadata.n.asc`)
  await card(opened.page, 1).waitFor()
  return opened
}
const card = (page: Page, number: number) => page.locator('li[data-record]', { hasText: `Ada of record ${number}.` })
const answerPage = async (page: Page) => {
  await page.locator('[data-select-page]').click()
  await question(page, 'label').getByRole('radio', { name: 'Yes' }).click()
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 10 }) }).click()
}
/** External IDs of the answered records, in ascending order. */
const answered = async (id: string) =>
  (await storedRecords(team.server, id))
    .flatMap(({ external_id, responses }) => (responses.length > 0 ? [Number(external_id)] : []))
    .sort((a, b) => a - b)
const idOf = async (id: string, number: number): Promise<string> =>
  (await storedRecords(team.server, id)).find(({ external_id }) => external_id === String(number))?.id ?? ''

const expectLastAction = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor()

const submitted = (count: number) => ui('features/annotate:doneMany.submitted', { count })
const rejected = (count: number) => ui('features/annotate:save.counted.rejected', { count })

test('a bulk action counts each outcome, and undo applies to its own answers only', async () => {
  const id = await seed(12)
  const { page, context, close } = await open(id)
  const conflictingId = await idOf(id, 3)
  await context.route(
    new RegExp(`${conflictingId}/responses/mine`),
    (route) => route.fulfill({ status: 409, json: { detail: 'changed', response: null } }),
    { times: 1 },
  )
  const deletedIds = [await idOf(id, 4), await idOf(id, 7)]
  await callAsOwner(team.server, 'DELETE', `/datasets/${id}/records?ids=${deletedIds.join(',')}`)
  await answerPage(page)
  const conflictToo = ui('features/annotate:save.counted.conflict', { count: 1 })
  await expectLastAction(page, [submitted(7), rejected(2), conflictToo].join(', '))
  await expect.poll(() => answered(id)).toEqual([1, 2, 5, 6, 8, 9, 10])
  // The user discards the change that has a conflict. The number of submitted answers stays the same, and these answers can still
  // be undone.
  await page.getByRole('button', { name: ui('features/annotate:conflict.takeTheirs') }).click()
  await expectLastAction(page, `${submitted(7)}, ${rejected(2)}`)
  await card(page, 4)
    .getByRole('button', { name: ui('features/annotate:rejected.drop') })
    .click()
  await expectLastAction(page, `${submitted(7)}, ${rejected(1)}`)
  await card(page, 7)
    .getByRole('button', { name: ui('features/annotate:rejected.drop') })
    .click()
  await expectLastAction(page, submitted(7))
  await page.getByRole('button', { name: ui('features/annotate:action.undo') }).click()
  await card(page, 1).waitFor()
  await expect.poll(() => answered(id)).toEqual([])
  await close()
})

test('several rejected answers are reported once, in one sentence, wherever their records are', async () => {
  const id = await seed(10)
  const { page, context, close } = await open(id)
  // The first records are visible. The last records aren't.
  const failing = [1, 2, 9, 10]
  for (const number of failing) {
    const json = { detail: 'This one will not do' }
    const path = new RegExp(`${await idOf(id, number)}/responses/mine`)
    await context.route(path, (route) => route.fulfill({ status: 422, json }), { times: 1 })
  }
  const words = ui('features/annotate:issue.someRejected')
  await page.evaluate((text) => {
    const announced: string[] = []
    Object.assign(window, { announced })
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const { textContent } of addedNodes) if (textContent?.trim() === text) announced.push(text)
    }).observe(document.querySelector('.visually-hidden[aria-live][role=alert]') as Element, { childList: true })
  }, words)
  await answerPage(page)
  await page.getByText(words).first().waitFor()
  await expect.poll(async () => (await answered(id)).length).toBe(6)
  // Visible issues are announced within a tenth of a second.
  await page.waitForTimeout(1000)
  expect(await page.evaluate(() => (window as unknown as { announced: string[] }).announced)).toEqual([words])
  const toasts = page.getByRole('region', { name: ui('common:toast.region') })
  expect(await toasts.getByText(words).count()).toBe(1)
  await close()
})

test('answers waiting for the network are counted separately from confirmed ones', async () => {
  const id = await seed(10)
  const { page, context, close } = await open(id)
  const late = new RegExp(`(${await idOf(id, 2)}|${await idOf(id, 9)})/responses/mine`)
  await context.route(late, (route) => route.abort())
  await answerPage(page)
  await expectLastAction(page, `${submitted(8)}, ${ui('features/annotate:save.counted.kept', { count: 2 })}`)
  await expect.poll(() => answered(id)).toEqual([1, 3, 4, 5, 6, 7, 8, 10])
  await context.unroute(late)
  await expectLastAction(page, submitted(10))
  await expect.poll(async () => (await answered(id)).length).toBe(10)
  await close()
})

test.each(
  variants(1, [
    ['a desk', {}],
    ['a phone', PHONE],
  ] as const),
)('on %s the confirmation for many records shows the values to apply and focuses Cancel', async (_, settings) => {
  const id = await seed(30)
  const { page, close } = await open(id, settings)
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  const selectAll = async () => {
    await page.locator('[data-select-page]').click()
    await page.getByRole('button', { name: ui('features/annotate:bulk.matched.select', { count: 30 }) }).click()
  }
  await selectAll()
  await page.getByRole('button', { name: ui('features/annotate:action.discard'), exact: true }).click()
  const discarding = page.getByRole('dialog', { name: ui('features/annotate:bulk.confirm.discarded', { count: 30 }) })
  await discarding.getByText(ui('features/annotate:bulk.confirmEmpty')).waitFor()
  await expect.poll(focused).toBe(ui('features/annotate:bulk.cancel'))
  await page.keyboard.press('Enter')
  await discarding.waitFor({ state: 'detached' })

  await question(page, 'label').getByRole('radio', { name: 'No' }).click()
  await question(page, 'note').getByRole('textbox').fill('the same for all')
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 30 }) }).click()
  const submitting = page.getByRole('dialog', { name: ui('features/annotate:bulk.confirm.submitted', { count: 30 }) })
  await submitting.waitFor()
  expect((await submitting.locator('dl').innerText()).split(/\s*\n\s*/)).toEqual(['Label', 'No', 'Note', 'the same for all'])
  await expect.poll(focused).toBe(ui('features/annotate:bulk.cancel'))
  expect(await findViolations(page, 'all')).toEqual([])
  await page.keyboard.press('Enter')
  await submitting.waitFor({ state: 'detached' })
  expect(await answered(id)).toEqual([])
  await close()
})

test('a phone shows how many records are answered at once, and the total', async () => {
  const id = await seed(30)
  const { page, close } = await open(id, PHONE)
  await box(page, 1).click()
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 1 }), exact: true }).waitFor()
  const seen = page.getByText('/ 30', { exact: true })
  await seen.waitFor()
  const next = await stableBox(page.getByRole('button', { name: uiPattern('features/annotate:pager.nextPage') }))
  expect(next.x + next.width).toBeLessThanOrEqual(PHONE.viewport.width)
  await close()
})
