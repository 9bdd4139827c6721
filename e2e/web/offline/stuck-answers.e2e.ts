import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, violations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { givenAnnotation, left, openAnnotation, QUESTIONS, records, recordText, stored } from '../ground/annotation.ts'
import { asOwner, givenUser, givenWorkspace, PASSWORD } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { onDisk } from '../support/device.ts'
import { keysAct } from '../support/keys-act.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()

let datasets = 0
const given = (workspaceId = team.workspaceId) =>
  givenAnnotation(team.server, {
    name: `stuck ${++datasets}`,
    workspaceId,
    questions: { tone: QUESTIONS.tone, note: QUESTIONS.note },
    records: Array.from({ length: 3 }, (_, index) => ({ fields: { text: `Record ${index + 1}` } })),
  })

const open = async (id: string, username?: string) => {
  const opened = await openPage(team.browser, team.server.url)
  await haveSession(opened.page, team.server.url, ...(username === undefined ? [] : [username, PASSWORD]))
  await openAnnotation(opened.page, id)
  await left(opened.page, '3 left')
  return opened
}

const answer = async (page: Page): Promise<void> => {
  const before = await recordText(page)
  await keysAct(page)
  await page.keyboard.press('1')
  await page.keyboard.press(ui('features/guides:keys.key.enter'))
  // A record that may not be seen any longer goes, and none comes in its place.
  await expect.poll(async () => (await records(page).allInnerTexts()).join()).not.toBe(before)
}
const refused = (page: Page) =>
  page.getByRole('region', { name: ui('common:toast.region') }).getByText(ui('features/annotate:trouble.refused'))
const dialog = (page: Page) => page.getByRole('dialog', { name: ui('features/stuck-answers:title') })

test('a refused answer to a dataset that is deleted can be read, copied and dropped from anywhere', async () => {
  const id = await given()
  const { page, context, close } = await open(id)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await asOwner(team.server, 'DELETE', `/datasets/${id}`)
  await answer(page)
  await refused(page).waitFor()
  // Its own page says that there is nothing, and does not tell of it any more.
  await page.goto(`/dataset/${id}/annotation-mode`)
  await page.getByText(ui('common:error.notFound')).first().waitFor()
  await page.getByRole('button', { name: ui('common:unsent.troubled', { count: 1 }) }).click()
  await dialog(page).getByText(ui('features/stuck-answers:dataset.gone')).waitFor()
  await dialog(page).getByText('positive').waitFor()
  expect(await violations(page)).toEqual([])
  await dialog(page)
    .getByRole('button', { name: ui('features/stuck-answers:copy') })
    .click()
  const copied = async () => JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))
  const copy = { dataset_id: id, status: 'submitted', values: { tone: { value: 'positive' } } }
  await expect.poll(copied).toMatchObject([copy])
  await dialog(page).getByRole('button', { name: 'Drop this answer' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.getByText('needs your attention').count()).toBe(0)
  await onDisk(page, 0)
  await page.reload()
  await page.getByText(ui('common:error.notFound')).first().waitFor()
  expect(await page.getByText('needs your attention').count()).toBe(0)
  await close()
})

test('refused answers to datasets that one may not see any longer are dropped together, after a question', async () => {
  const workspace = await givenWorkspace(team.server, 'left')
  const user = await givenUser(team.server, 'leaver', 'annotator', [workspace])
  const { page, close } = await open(await given(workspace), 'leaver')
  await asOwner(team.server, 'DELETE', `/workspaces/${workspace}/users/${user}`)
  await answer(page)
  await answer(page)
  await onDisk(page, 2)
  await page.goto('/')
  await page.getByRole('button', { name: ui('common:unsent.troubled', { count: 2 }) }).click()
  await dialog(page).getByText(ui('features/stuck-answers:dataset.closed')).waitFor()
  const all = dialog(page).getByRole('button', { name: ui('features/stuck-answers:dropAll', { count: 2 }) })
  await all.click()
  await dialog(page)
    .getByText(ui('features/stuck-answers:dropAllSure', { count: 2 }))
    .waitFor()
  await dialog(page)
    .getByRole('button', { name: ui('features/stuck-answers:keepAll') })
    .click()
  await expect.poll(() => dialog(page).getByRole('button', { name: 'Drop this answer' }).count()).toBe(2)
  await all.click()
  await dialog(page)
    .getByText(ui('features/stuck-answers:dropAllSure', { count: 2 }))
    .waitFor()
  await all.click()
  await dialog(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.getByText('need your attention').count()).toBe(0)
  await close()
})

const answerDeletedRecord = async (page: Page, id: string): Promise<void> => {
  const text = await recordText(page)
  const record = (await stored(team.server, id)).find(({ fields }) => text.includes(String(fields['text'])))
  await asOwner(team.server, 'DELETE', `/records/${record?.id}`)
  await answer(page)
  await refused(page).waitFor()
}

test('who drops an answer to a record that is deleted goes on with the next, and nothing counts it', async () => {
  const id = await given()
  const { page, close } = await open(id)
  const before = await recordText(page)
  await answerDeletedRecord(page, id)
  await page.getByRole('button', { name: ui('features/annotate:trouble.show') }).click()
  await expect.poll(() => recordText(page)).toBe(before)
  await page.getByText(ui('common:unsent.recordGone')).waitFor()
  expect(await page.getByText(/with id/).count()).toBe(0)
  await page.getByRole('button', { name: 'Drop this answer' }).click()
  await expect.poll(() => recordText(page)).not.toBe(before)
  await left(page, '2 left')
  await page.getByText(ui('features/annotate:progress.share', { share: '0.00%', completed: '0', total: '2' })).waitFor()
  const form = page.getByRole('form', { name: ui('features/annotate:form.name') })
  await expect.poll(() => form.getByText(ui('features/annotate:title.submitted')).count()).toBe(0)
  await expect.poll(() => form.getByRole('button', { name: ui('features/annotate:action.undo') }).count()).toBe(0)
  // Nothing that was done is left to be undone: the record does not come back.
  await page.keyboard.press('Control+z')
  await page.waitForTimeout(300)
  expect(await recordText(page)).not.toBe(before)
  for (const rest of ['1 left', '0 left']) {
    await keysAct(page)
    await page.keyboard.press('1')
    await page.keyboard.press(ui('features/guides:keys.key.enter'))
    await left(page, rest)
  }
  await close()
})

test('an answer to a record that is deleted is shown by itself where its record is not there any more', async () => {
  const id = await given()
  const { page, close } = await open(id)
  await answerDeletedRecord(page, id)
  await page.reload()
  await page.getByRole('button', { name: ui('features/annotate:trouble.show') }).click()
  await dialog(page).getByText('positive').waitFor()
  await dialog(page).getByText(ui('common:unsent.recordGone')).waitFor()
  await dialog(page).getByRole('button', { name: 'Drop this answer' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await refused(page).waitFor({ state: 'detached' })
  await left(page, '2 left')
  await close()
})

test('a refused answer stays while the server cannot say whether its record is there', async () => {
  const id = await given()
  const { page, context, close } = await open(id)
  await answerDeletedRecord(page, id)
  await page.reload()
  await context.route('**/api/v1/records/*', (route) => route.fulfill({ status: 500, json: { detail: 'broken' } }))
  await page.getByRole('button', { name: ui('features/annotate:trouble.show') }).click()
  await page.getByText(ui('common:validations.http.500.message')).first().waitFor()
  await context.unroute('**/api/v1/records/*')
  await page.reload()
  await refused(page).waitFor()
  await close()
})
