import { readFileSync } from 'node:fs'
import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { applyTheme, findViolations, PHONE, switchLanguage } from '../../harness/browser.ts'
import { OWNER } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, seedUser } from '../fixtures/seed.ts'
import { openSettings, seedSettingsDataset } from '../fixtures/settings.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const team = setUpSharedTeam()
beforeAll(async () => {
  await seedUser(team.server, 'lena', 'admin', [team.workspaceId])
})

type Items<T> = { readonly items: readonly T[] }
type Answered = {
  readonly responses: readonly {
    readonly id?: string
    readonly values: { readonly [question: string]: { readonly value: unknown } }
  }[]
}

/** Answers to the other required questions. */
const others = { topics: { value: ['topic-01'] }, quality: { value: 5 }, entities: { value: [] } }
const seedAnswered = async (name: string, tones: readonly string[], status = 'draft'): Promise<string> => {
  const records = tones.map((tone) => ({ fields: { text: `A ${tone} text.` } }))
  const id = await seedSettingsDataset(team, name, { records })
  const { items } = await callAsOwner<Items<{ readonly id: string }>>(team.server, 'GET', `/datasets/${id}/records`)
  for (const [i, tone] of tones.entries())
    await callAsOwner(team.server, 'POST', `/records/${items[i]?.id}/responses`, {
      status,
      values: { tone: { value: tone }, ...(status === 'submitted' && others) },
    })
  return id
}
const tonesOf = async (id: string): Promise<unknown[]> => {
  const path = `/datasets/${id}/records?include=responses`
  const { items } = await callAsOwner<Items<Answered>>(team.server, 'GET', path)
  return items.map(({ responses }) => responses[0]?.values['tone']?.value)
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: ui('features/settings:labels.title', { title: 'Tone' }) })
const openDialog = async (page: Page) => {
  await page.getByRole('button', { name: ui('features/settings:labels.changeOf', { title: 'Tone' }), exact: true }).click()
  return dialogOf(page)
}
const nameOf = (page: Page, label: string) =>
  dialogOf(page).getByRole('textbox', { name: ui('features/settings:labels.name', { label }), exact: true })
const fateOf = (page: Page, label: string) =>
  dialogOf(page).getByRole('combobox', { name: ui('features/settings:labels.fate', { label }), exact: true })
const press = (page: Page, key: 'review' | 'apply' | 'back') =>
  dialogOf(page)
    .getByRole('button', { name: ui(`features/settings:labels.${key}`), exact: true })
    .click()
const version = (page: Page, no: string) =>
  page.getByRole('listitem', { name: ui('features/settings:versions.name', { no }), exact: true })

const revert = async (page: Page) => {
  await version(page, '1')
    .getByRole('button', { name: ui('features/settings:versions.revertThis', { no: '1' }) })
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: ui('features/settings:versions.revert'), exact: true })
    .click()
}

test('labels are renamed, merged and added after review, and the version can be reverted', async () => {
  const id = await seedAnswered('changed labels', ['positive', 'neutral', 'negative'])
  const { page, close, complaints } = await openSettings(team, id, 'questions', 'lena')
  const dialog = await openDialog(page)
  await nameOf(page, 'positive').fill('Good')
  await fateOf(page, 'neutral').selectOption({ label: ui('features/settings:labels.merge') })
  expect(await dialog.getByRole('button', { name: ui('features/settings:labels.review') }).isDisabled()).toBe(true)
  await dialog
    .getByRole('combobox', { name: ui('features/settings:labels.into', { label: 'neutral' }) })
    .selectOption({ label: 'Negative' })
  await dialog.getByRole('button', { name: ui('question-types/shared/options:options.add') }).click()
  await dialog.getByRole('textbox', { name: ui('features/settings:labels.newName') }).fill('Mixed')
  await press(page, 'review')
  const counts = dialog.locator('dl')
  await counts.waitFor()
  expect(await counts.locator('dd').allTextContents()).toEqual(['2', '0', '0', '0'])
  const rows = dialog.getByRole('table').locator('tbody tr')
  expect(await rows.count()).toBe(2)
  expect(await rows.nth(0).locator('td').nth(2).textContent()).toBe('Good')
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('textbox', { name: ui('features/settings:labels.note') }).fill('Annotators confuse them.')
  await press(page, 'apply')
  await version(page, '1').getByText('Annotators confuse them.').waitFor()
  await version(page, '1')
    .getByRole('button', { name: ui('features/settings:versions.revertThis', { no: '1' }) })
    .waitFor()
  expect(await tonesOf(id)).toEqual(['Good', 'negative', 'negative'])
  expect(await findViolations(page)).toEqual([])
  await page.goto(`/dataset/${id}/annotation-mode`)
  await page.getByRole('radio', { name: 'Mixed' }).waitFor()
  expect(await page.getByRole('radio', { name: 'Neutral' }).count()).toBe(0)
  await page.goto(`/dataset/${id}/settings?tab=questions`)
  await revert(page)
  await version(page, '2')
    .getByText(ui('features/settings:change.revert', { no: '1' }))
    .waitFor()
  await expect.poll(() => tonesOf(id)).toEqual(['positive', 'neutral', 'negative'])
  expect(complaints()).toEqual([])
  await close()
})

detail('a new label is put below another one, on a phone', async () => {
  const id = await seedAnswered('label tree', [])
  const { page, close, complaints } = await openSettings(team, id, 'questions', 'lena', PHONE)
  const dialog = await openDialog(page)
  await dialog.getByRole('button', { name: ui('question-types/shared/options:options.add') }).click()
  await dialog.getByRole('textbox', { name: ui('features/settings:labels.newName') }).fill('Angry')
  await dialog
    .getByRole('combobox', { name: ui('features/settings:labels.parent', { label: 'Angry' }) })
    .selectOption({ label: ui('features/settings:labels.below', { label: 'Negative' }) })
  expect(await findViolations(page)).toEqual([])
  await applyTheme(page, 'dark')
  await switchLanguage(page, 'de')
  expect(await findViolations(page)).toEqual([])
  expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await switchLanguage(page, 'en')
  await press(page, 'review')
  await press(page, 'apply')
  await version(page, '1').waitFor()
  type Named = { readonly name: string; readonly settings: { readonly options: readonly object[] } }
  const { items } = await callAsOwner<Items<Named>>(team.server, 'GET', `/datasets/${id}/questions`)
  const { settings } = items.find(({ name }) => name === 'tone') as Named
  expect(settings.options.at(-1)).toMatchObject({ value: 'Angry', parent: 'negative' })
  expect(complaints()).toEqual([])
  await close()
})

detail('refused changes are explained and can be corrected, and a retired label is no longer offered', async () => {
  const id = await seedAnswered('refused labels', ['positive'])
  const { page, close, complaints } = await openSettings(team, id, 'questions', 'lena')
  const dialog = await openDialog(page)
  await nameOf(page, 'neutral').fill('negative')
  await press(page, 'review')
  await dialog.getByText(ui('features/refusals:refusal.labelTaken', { label: 'negative' })).waitFor()
  expect(await dialog.getByRole('button', { name: ui('features/settings:labels.apply') }).isDisabled()).toBe(true)
  await press(page, 'back')
  await nameOf(page, 'neutral').fill('Neutral')
  await fateOf(page, 'neutral').selectOption({ label: ui('features/settings:labels.retire') })
  await press(page, 'review')
  await press(page, 'apply')
  await version(page, '1').waitFor()
  await page.goto(`/dataset/${id}/annotation-mode`)
  await page.getByRole('radio', { name: 'Negative' }).waitFor()
  expect(await page.getByRole('radio', { name: 'Neutral' }).count()).toBe(0)
  expect(complaints()).toEqual([])
  await close()
})

detail('answers with a split label come back to their authors, and a revert lists those that it keeps', async () => {
  const id = await seedAnswered('split labels', ['positive', 'positive', 'negative'], 'submitted')
  const { page, close, complaints } = await openSettings(team, id, 'questions', OWNER.username)
  const dialog = await openDialog(page)
  await fateOf(page, 'positive').selectOption({ label: ui('features/settings:labels.split') })
  await dialog.getByRole('textbox', { name: ui('features/settings:labels.parts', { label: 'positive' }) }).fill('Glad, Proud')
  expect(await findViolations(page)).toEqual([])
  await press(page, 'review')
  const counts = dialog.locator('dl')
  await counts.waitFor()
  expect(await counts.locator('dd').allTextContents()).toEqual(['2', '2', '0', '0', '0'])
  await dialog.getByText(ui('features/settings:labels.dueAgain')).waitFor()
  await press(page, 'apply')
  await version(page, '1')
    .getByText(ui('features/settings:versions.due', { count: 2, shown: '2' }))
    .waitFor()

  await page.goto(`/dataset/${id}/annotation-mode`)
  const note = ui('features/annotate:question.split', { label: 'Positive', labels: 'Glad or Proud' })
  await page.getByText(`Tone: ${note}`).first().waitFor()
  expect(await page.getByRole('radio', { name: 'Positive' }).isChecked()).toBe(true)
  const submit = page.getByRole('button', { name: ui('features/annotate:action.submit'), exact: true })
  expect(await submit.getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('radio', { name: 'Glad' }).click()
  await submit.click()
  await expect.poll(() => tonesOf(id)).toEqual(['Glad', 'positive', 'negative'])

  await page.goto(`/dataset/${id}/settings?tab=questions`)
  await revert(page)
  await version(page, '2')
    .getByRole('button', { name: ui('features/settings:versions.showKept') })
    .click()
  await page
    .getByRole('dialog', { name: ui('features/settings:versions.keptTitle', { no: '2' }) })
    .getByRole('link')
    .click()
  // The record's address redirects owners to the records page.
  await page.waitForURL((url) => url.pathname === `/dataset/${id}/records` && url.searchParams.has('record'))
  expect(await tonesOf(id)).toEqual(['Glad', 'positive', 'negative'])
  expect(complaints()).toEqual([])
  await close()
})

detail('changed guidelines are shown above the record until they are confirmed, and in the settings', async () => {
  const id = await seedAnswered('changed guidelines', ['positive'])
  // The queue doesn't contain records for which the user has a draft.
  await callAsOwner(team.server, 'POST', `/datasets/${id}/records/bulk`, { items: [{ fields: { text: 'Another text.' } }] })
  const guidelines = (text: string) => callAsOwner(team.server, 'PATCH', `/datasets/${id}`, { guidelines: text })
  await guidelines('Irony counts as negative.')
  await guidelines('Irony counts as neutral.')
  const { page, close, complaints } = await openSettings(team, id, 'questions', OWNER.username)
  await page.getByRole('button', { name: ui('features/settings:versions.showTextsOf', { no: '2' }) }).click()
  const diff = page.getByRole('dialog').getByRole('region', { name: ui('features/settings:general.guidelines') })
  await diff.waitFor()
  expect(await diff.locator('mark').allTextContents()).toEqual(['negative.', 'neutral.'])
  expect(await findViolations(page)).toEqual([])

  await page.goto(`/dataset/${id}/annotation-mode`)
  const notice = page.getByRole('region', { name: ui('features/annotate:textChanges.title') })
  await notice.waitFor()
  expect(await notice.locator('mark').allTextContents()).toEqual(['Irony counts as neutral.'])
  expect(await findViolations(page)).toEqual([])
  await notice.getByRole('button', { name: ui('features/annotate:textChanges.seen') }).click()
  await notice.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('radio', { name: 'Positive' }).waitFor()
  expect(await notice.count()).toBe(0)
  expect(complaints()).toEqual([])
  await close()
})

detail('a snapshot is created, renamed and downloaded as it was, and can be deleted', async () => {
  const id = await seedAnswered('named moments', ['positive', 'neutral'], 'submitted')
  const { page, close, complaints } = await openSettings(team, id, 'general', OWNER.username)
  const create = ui('features/settings:snapshots.create')
  await page.getByRole('button', { name: create }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Befor')
  await page.getByRole('dialog').getByRole('button', { name: create }).click()
  await page.getByRole('button', { name: ui('features/settings:snapshots.renameThis', { name: 'Befor' }) }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Before')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: ui('features/settings:snapshots.rename'), exact: true })
    .click()
  const list = page.getByRole('list', { name: ui('features/settings:snapshots.title') })
  await list.getByText('Before', { exact: true }).waitFor()
  expect(await findViolations(page)).toEqual([])

  const { items } = await callAsOwner<Items<Answered & { readonly id: string }>>(
    team.server,
    'GET',
    `/datasets/${id}/records?include=responses`,
  )
  const [answer] = items[0]?.responses ?? []
  const values = { ...others, tone: { value: 'negative' } }
  await callAsOwner(team.server, 'PUT', `/responses/${answer?.id}`, { status: 'submitted', values })
  await page.goto(`/dataset/${id}/annotation-mode`)
  await page.getByRole('button', { name: ui('features/annotate:download') }).click()
  const dialog = page.getByRole('dialog', { name: ui('features/download:title') })
  const moment = dialog.getByRole('combobox', { name: ui('features/download:at') })
  await moment.selectOption({ index: 1 })
  await dialog.getByText(ui('features/download:atHint')).waitFor()
  expect(await findViolations(page)).toEqual([])
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: ui('features/download:start'), exact: true }).click()
  const lines = readFileSync(await (await downloading).path(), 'utf8')
    .trim()
    .split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { readonly [column: string]: unknown })['tone.responses'])).toEqual([
    ['positive'],
    ['neutral'],
  ])

  await page.goto(`/dataset/${id}/settings?tab=general`)
  await page.getByRole('button', { name: ui('features/settings:snapshots.deleteThis', { name: 'Before' }) }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: ui('features/settings:snapshots.delete'), exact: true })
    .click()
  await list.waitFor({ state: 'detached' })
  expect(complaints()).toEqual([])
  await close()
})
