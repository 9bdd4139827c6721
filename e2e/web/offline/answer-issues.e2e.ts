import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, openPage } from '../../harness/browser.ts'
import { OWNER } from '../../harness/server.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import {
  expectLeft,
  openAnnotation,
  QUESTIONS,
  records,
  recordText,
  seedAnnotationDataset,
  storedRecords,
  teamProgressText,
} from '../fixtures/annotation.ts'
import { callAsOwner, PASSWORD, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { expectStoredAnswers, expectStoredDrafts } from '../support/device.ts'
import { createSession } from '../support/sign-in.ts'
import { waitForKeyFocus } from '../support/wait-for-key-focus.ts'

const team = setUpSharedTeam()

let datasets = 0
const seed = (workspaceId = team.workspaceId) =>
  seedAnnotationDataset(team.server, {
    name: `answer issues ${++datasets}`,
    workspaceId,
    questions: { tone: QUESTIONS.tone, note: QUESTIONS.note },
    records: Array.from({ length: 3 }, (_, index) => ({ fields: { text: `Record ${index + 1}` } })),
  })

const open = async (id: string, username?: string) => {
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url, ...(username === undefined ? [] : [username, PASSWORD]))
  await openAnnotation(opened.page, id)
  await expectLeft(opened.page, 3)
  return opened
}

const answer = async (page: Page): Promise<void> => {
  const before = await recordText(page)
  await waitForKeyFocus(page)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  // A record that the user can no longer see disappears, and no other record replaces it.
  await expect.poll(async () => (await records(page).allInnerTexts()).join()).not.toBe(before)
}
const refused = (page: Page) =>
  page.getByRole('region', { name: ui('common:toast.region') }).getByText(ui('features/annotate:issue.rejected'))
const dialog = (page: Page) => page.getByRole('dialog', { name: ui('features/answer-issues:title') })

test('a refused answer in a deleted dataset can be read, copied and dropped from any page', async () => {
  const id = await seed()
  const { page, context, close } = await open(id)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await callAsOwner(team.server, 'DELETE', `/datasets/${id}`)
  await answer(page)
  await page.getByRole('heading', { name: ui('features/deleted-dataset:title', { name: `answer issues ${datasets}` }) }).waitFor()
  // A newly loaded page has no data of the deleted dataset, so it shows “not found”.
  await page.goto(`/dataset/${id}/annotation-mode`)
  await page.getByText(ui('common:error.notFound')).first().waitFor()
  await page.getByRole('button', { name: ui('common:unsent.withIssue', { count: 1 }) }).click()
  await dialog(page).getByText(ui('features/answer-issues:dataset.gone')).waitFor()
  await dialog(page).getByText('positive').waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog(page)
    .getByRole('button', { name: ui('features/answer-issues:copy') })
    .click()
  const copied = async () => JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))
  const copy = { dataset_id: id, status: 'submitted', values: { tone: { value: 'positive' } } }
  await expect.poll(copied).toMatchObject([copy])
  await dialog(page)
    .getByRole('button', { name: ui('features/answer-issues:drop') })
    .click()
  await dialog(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.getByText(uiPattern('common:unsent.withIssue')).count()).toBe(0)
  await expectStoredAnswers(page, 0)
  await page.reload()
  await page.getByText(ui('common:error.notFound')).first().waitFor()
  expect(await page.getByText(uiPattern('common:unsent.withIssue')).count()).toBe(0)
  await close()
})

detail('refused answers in datasets without access are dropped together after a confirmation', async () => {
  const workspace = await seedWorkspace(team.server, 'left')
  const user = await seedUser(team.server, 'leaver', 'annotator', [workspace])
  const { page, close } = await open(await seed(workspace), 'leaver')
  await callAsOwner(team.server, 'DELETE', `/workspaces/${workspace}/users/${user}`)
  await answer(page)
  await answer(page)
  await expectStoredAnswers(page, 2)
  await page.goto('/')
  await page.getByRole('button', { name: ui('common:unsent.withIssue', { count: 2 }) }).click()
  await dialog(page).getByText(ui('features/answer-issues:dataset.closed')).waitFor()
  const all = dialog(page).getByRole('button', { name: ui('features/answer-issues:dropAll', { count: 2 }) })
  await all.click()
  await dialog(page)
    .getByText(ui('features/answer-issues:dropAllSure', { count: 2 }))
    .waitFor()
  await dialog(page)
    .getByRole('button', { name: ui('features/answer-issues:keepAll') })
    .click()
  await expect
    .poll(() =>
      dialog(page)
        .getByRole('button', { name: ui('features/answer-issues:drop') })
        .count(),
    )
    .toBe(2)
  await all.click()
  await dialog(page)
    .getByText(ui('features/answer-issues:dropAllSure', { count: 2 }))
    .waitFor()
  await all.click()
  await dialog(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.getByText(uiPattern('common:unsent.withIssue')).count()).toBe(0)
  await close()
})

const deleteShownRecord = async (page: Page, id: string): Promise<string | undefined> => {
  const text = await recordText(page)
  const record = (await storedRecords(team.server, id)).find(({ fields }) => text.includes(String(fields['text'])))
  await callAsOwner(team.server, 'DELETE', `/records/${record?.id}`)
  return record?.id
}
const answerDeletedRecord = async (page: Page, id: string): Promise<void> => {
  await deleteShownRecord(page, id)
  await answer(page)
  await refused(page).waitFor()
}

const deletedPanel = (page: Page) => page.getByRole('region', { name: ui('features/annotate:deleted.title') })

detail(
  'a record that is deleted while its answer is edited is reported, and the edits can be copied until they are dropped',
  async () => {
    const id = await seed()
    await seedUser(team.server, 'editor', 'annotator', [team.workspaceId])
    const { page, context, close } = await open(id, 'editor')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await waitForKeyFocus(page)
    await page.keyboard.press('1')
    await page.getByRole('textbox', { name: 'Note' }).fill('Nearly done')
    await expectStoredDrafts(page, 1)
    const recordId = await deleteShownRecord(page, id)
    // The browser looks for the record regularly, and when the user returns to the tab.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await deletedPanel(page).getByText(ui('features/annotate:deleted.explain')).waitFor()
    await deletedPanel(page).getByText('Nearly done').waitFor()
    expect(await findViolations(page)).toEqual([])
    const copied = async () => JSON.parse((await page.evaluate(() => navigator.clipboard.readText())) || 'null')
    const values = { tone: { value: 'positive' }, note: { value: 'Nearly done' } }
    await deletedPanel(page)
      .getByRole('button', { name: ui('features/annotate:deleted.copy') })
      .click()
    await expect.poll(copied).toEqual([{ dataset_id: id, record_id: recordId, status: 'draft', values }])
    // The answer stays on this device, and is reachable from every page.
    await page.goto('/')
    await page.getByRole('button', { name: ui('common:unsent.withIssue', { count: 1 }) }).click()
    await dialog(page).getByText('Nearly done').waitFor()
    await dialog(page)
      .getByRole('button', { name: ui('features/answer-issues:drop') })
      .click()
    await dialog(page).waitFor({ state: 'detached' })
    await expectStoredAnswers(page, 0)
    await expectStoredDrafts(page, 0)
    await close()
  },
)

detail('dropping an answer to a deleted record moves to the next record, and it is no longer counted', async () => {
  const id = await seed()
  const { page, close } = await open(id)
  const before = await recordText(page)
  await answerDeletedRecord(page, id)
  await page.getByRole('button', { name: ui('features/annotate:issue.show') }).click()
  await expect.poll(() => recordText(page)).toBe(before)
  await deletedPanel(page)
    .getByText(ui('features/annotate:deleted.by', { username: OWNER.username }))
    .waitFor()
  // Nothing else can be done with the record.
  expect(await page.getByRole('form', { name: ui('features/annotate:form.name') }).count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: ui('features/annotate:rejected.drop') }).click()
  await expect.poll(() => recordText(page)).not.toBe(before)
  await expectLeft(page, 2)
  await page.getByText(teamProgressText(0, 2)).waitFor()
  const form = page.getByRole('form', { name: ui('features/annotate:form.name') })
  await expect.poll(() => form.getByText(ui('features/annotate:done.submitted')).count()).toBe(0)
  await expect.poll(() => form.getByRole('button', { name: ui('features/annotate:action.undo') }).count()).toBe(0)
  // Nothing is left to undo, so the record does not return.
  await page.keyboard.press('Control+z')
  await page.waitForTimeout(300)
  expect(await recordText(page)).not.toBe(before)
  for (const rest of [1, 0]) {
    await waitForKeyFocus(page)
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await expectLeft(page, rest)
  }
  await close()
})

detail('an answer to a deleted record is shown on its own when the record is no longer loaded', async () => {
  const id = await seed()
  const { page, close } = await open(id)
  await answerDeletedRecord(page, id)
  await page.reload()
  await page.getByRole('button', { name: ui('features/annotate:issue.show') }).click()
  await dialog(page).getByText('positive').waitFor()
  await dialog(page).getByText(ui('common:unsent.recordGone')).waitFor()
  await dialog(page)
    .getByRole('button', { name: ui('features/answer-issues:drop') })
    .click()
  await dialog(page).waitFor({ state: 'detached' })
  await refused(page).waitFor({ state: 'detached' })
  await expectLeft(page, 2)
  await close()
})

detail("a refused answer stays while the server can't confirm whether its record exists", async () => {
  const id = await seed()
  const { page, context, close } = await open(id)
  await answerDeletedRecord(page, id)
  await page.reload()
  await context.route('**/records/search?**', (route) => route.fulfill({ status: 500, json: { detail: 'broken' } }))
  await page.getByRole('button', { name: ui('features/annotate:issue.show') }).click()
  await page.getByText(ui('common:validations.http.500.message')).first().waitFor()
  await context.unroute('**/records/search?**')
  await page.reload()
  await refused(page).waitFor()
  await close()
})
