import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import {
  openAnnotation,
  recordText,
  seedAnnotationDataset,
  spanQuestion,
  storedRecords,
  teamProgressText,
} from '../fixtures/annotation.ts'
import { callAsOwner, PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { expectStoredAnswers } from '../support/device.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()

const LABEL = {
  label: {
    title: 'Label',
    required: true,
    settings: { type: 'label_selection', options: ['Yes', 'No'].map((text) => ({ value: text.toLowerCase(), text })) },
  },
}
let datasets = 0
const seed = (records = 1) =>
  seedAnnotationDataset(team.server, {
    name: `history ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: LABEL,
    records: Array.from({ length: records }, (_, index) => ({ fields: { text: `Record ${index + 1}` } })),
  })

const open = async (id: string, query = '', username?: string) => {
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url, username, username && PASSWORD)
  await openAnnotation(opened.page, id, query)
  return opened
}
const openHistory = async (page: Page) => {
  await page.getByRole('button', { name: ui('features/annotate:record.menu') }).click()
  await page.getByRole('menuitem', { name: ui('features/annotate:history.title') }).click()
  const dialog = page.getByRole('dialog', { name: ui('features/annotate:history.title') })
  await dialog.getByRole('heading', { name: ui('features/annotate:history.now') }).waitFor()
  return dialog
}
const answersOf = async (id: string) =>
  (await storedRecords(team.server, id)).flatMap(({ responses }) => responses.map(({ status, values }) => [status, values]))
const label = (value: string) => ({ label: { value } })

test('an annotator restores an earlier answer, and can undo that', async () => {
  const id = await seed()
  await seedUser(team.server, 'ann', 'annotator', [team.workspaceId])
  const { page, complaints, close } = await open(id, '', 'ann')
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect.poll(() => answersOf(id)).toEqual([['submitted', label('yes')]])
  await expectStoredAnswers(page, 0)
  await openAnnotation(page, id, '?status=submitted')
  await page.keyboard.press('2')
  await page.keyboard.press('Enter')
  await expect.poll(() => answersOf(id)).toEqual([['submitted', label('no')]])

  const dialog = await openHistory(page)
  const change = dialog.locator('ol > li').first()
  await expect.poll(() => change.innerText()).toContain(ui('features/annotate:history.own.update', { user: 'ann' }))
  expect(await change.innerText()).toContain('Yes')
  expect(await change.innerText()).not.toMatch(/\bNo\b/)
  await change.getByRole('button', { name: uiPattern('features/annotate:history.restoreWhat') }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => answersOf(id)).toEqual([['submitted', label('yes')]])
  await page.getByRole('radio', { name: 'Yes', checked: true }).waitFor()

  await page.keyboard.press('Control+z')
  await expect.poll(() => answersOf(id)).toEqual([['submitted', label('no')]])
  expect(complaints()).toEqual([])
  await close()
})

detail("an owner sees who changed what, and restores other people's answers", async () => {
  const id = await seed()
  const [record] = await storedRecords(team.server, id)
  const recordId = record?.id ?? ''
  const answer = await callAsOwner(team.server, 'POST', `/records/${recordId}/responses`, {
    status: 'draft',
    values: label('yes'),
  })
  await callAsOwner(team.server, 'DELETE', `/responses/${answer.id}`)
  await seedUser(team.server, 'bea', 'annotator', [team.workspaceId])
  const annotator = await open(id, '', 'bea')
  await annotator.page.keyboard.press('2')
  await annotator.page.keyboard.press('Enter')
  await expect.poll(() => answersOf(id)).toEqual([['submitted', label('no')]])
  const [theirs] = (
    await callAsOwner<{ items: { responses: { id: string }[] }[] }>(
      team.server,
      'GET',
      `/datasets/${id}/records?include=responses`,
    )
  ).items
  await callAsOwner(team.server, 'DELETE', `/responses/${theirs?.responses[0]?.id ?? ''}`)
  await callAsOwner(team.server, 'PATCH', `/records/${recordId}`, { fields: { text: 'Changed text' } })
  await annotator.close()

  const { page, complaints, close } = await open(id)
  await expect.poll(() => recordText(page)).toContain('Changed text')
  const dialog = await openHistory(page)
  const entries = dialog.locator('ol > li')
  const progress = page
    .getByRole('region', { name: ui('features/annotate:progress.name'), includeHidden: true })
    .getByText(uiPattern('features/annotate:progress.share'))
  await expect.poll(() => entries.count()).toBe(3)
  expect((await entries.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
    ui('features/annotate:history.by.record', { user: 'owner' }),
    ui('features/annotate:history.by.response.delete', { user: 'owner', author: 'bea' }),
    ui('features/annotate:history.own.delete', { user: 'owner' }),
  ])
  await expect.poll(() => progress.innerText()).toBe(teamProgressText(0, 1))
  await entries.nth(1).getByRole('button').click()
  await expect.poll(() => answersOf(id)).toEqual([['submitted', label('no')]])
  await expect.poll(() => progress.innerText()).toBe(teamProgressText(1, 1))
  await entries.first().getByRole('button').click()
  await expect.poll(() => entries.count()).toBe(4)
  await page.keyboard.press('Escape')
  await expect.poll(() => recordText(page)).toContain('Record 1')
  expect(complaints()).toEqual([])
  await close()
})

detail('an answer without spans is labeled as such', async () => {
  const id = await seedAnnotationDataset(team.server, {
    name: `history ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: { marks: spanQuestion() },
    records: [{ fields: { text: 'Nothing to mark' } }],
  })
  const [record] = await storedRecords(team.server, id)
  const answer = { status: 'submitted', values: { marks: { value: [] } } }
  await callAsOwner(team.server, 'POST', `/records/${record?.id ?? ''}/responses`, answer)
  const { page, complaints, close } = await open(id, '?status=submitted')
  const dialog = await openHistory(page)
  await expect.poll(() => dialog.locator('dd').innerText()).toBe(ui('question-types/span:count', { count: 0 }))
  expect(complaints()).toEqual([])
  await close()
})
