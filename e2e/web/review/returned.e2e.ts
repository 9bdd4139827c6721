import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { ui } from '../../harness/ui-text.ts'
import { FORM, openAnnotation, storedRecords } from '../fixtures/annotation.ts'
import { callAsOwner, seedDataset, seedUser } from '../fixtures/seed.ts'
import { openPageAs, setUpSharedTeam } from '../fixtures/team.ts'

const team = setUpSharedTeam()
let ann = ''
let rita = ''
beforeAll(async () => {
  ann = await seedUser(team.server, 'ann', 'annotator', [team.workspaceId])
  rita = await seedUser(team.server, 'rita', 'annotator', [team.workspaceId])
})

type Answer = { readonly id: string; readonly status: string; readonly returned: { readonly comment: string } | null }

const seed = async (name: string) => {
  const id = await seedDataset(team.server, { name, workspaceId: team.workspaceId, records: 3 })
  await callAsOwner(team.server, 'PUT', `/datasets/${id}/review-settings`, { mode: 'all', reviewers: [rita] })
  const last = (await storedRecords(team.server, id)).at(-1)
  if (!last) throw new Error('the dataset has no records')
  const responses = [{ user_id: ann, status: 'submitted', values: { label: { value: 'yes' } } }]
  await callAsOwner(team.server, 'PUT', `/datasets/${id}/records/bulk`, { items: [{ id: last.id, responses }] })
  const answer = async (): Promise<Answer> => {
    const { responses: found } = await callAsOwner<{ responses: readonly Answer[] }>(team.server, 'GET', `/records/${last.id}`)
    if (found[0] === undefined) throw new Error('the record has no answer')
    return found[0]
  }
  return { id, record: last.id, answer, text: String(last.fields['text']) }
}

const openAs = (username: string) => openPageAs(team, username)
const notice = (page: Page) => page.locator(FORM).getByText(ui('features/annotate:returned', { name: 'rita' }))
const submit = (page: Page) => page.getByRole('button', { name: ui('features/annotate:action.submit') })

test('a reviewer returns an answer with a comment, and its author corrects it', async () => {
  const { id, record, answer, text } = await seed('returned')
  const review = await openAs('rita')
  await review.page.goto(`/dataset/${id}/review?record=${record}`)
  await review.page.getByRole('button', { name: ui('features/review:return.open') }).waitFor()
  await review.page.keyboard.press('r')
  const dialog = review.page.getByRole('dialog', { name: ui('features/review:return.title') })
  expect(await dialog.getByRole('radio', { name: 'ann' }).isChecked()).toBe(true)
  const confirm = dialog.getByRole('button', { name: ui('features/review:return.action') })
  expect(await confirm.isDisabled()).toBe(true)
  await dialog.getByLabel(ui('features/review:return.comment')).fill('This is irony.\n<b>Read it again</b>')
  await confirm.click()
  await dialog.waitFor({ state: 'detached' })
  await review.page.getByText(ui('features/review:return.done')).first().waitFor()
  expect(await answer()).toMatchObject({ status: 'draft', returned: { comment: 'This is irony.\n<b>Read it again</b>' } })
  await review.done()

  const { page, done } = await openAs('ann')
  await openAnnotation(page, id)
  await page.getByText(text, { exact: true }).waitFor()
  await notice(page).waitFor()
  await page.getByText('<b>Read it again</b>').waitFor()
  await submit(page).click()
  await page.getByText(text, { exact: true }).waitFor({ state: 'detached' })
  await notice(page).waitFor({ state: 'detached' })
  await expect.poll(answer).toMatchObject({ status: 'submitted', returned: null })
  await done()
})

detail('an answer that is returned while its author works comes back without a reload', async () => {
  const { server, workspaceId } = team
  const id = await seedDataset(server, { name: 'returned during work', workspaceId, records: 3 })
  const { page, done } = await openAs('ann')
  await openAnnotation(page, id)
  const answerNext = async (number: number): Promise<void> => {
    const record = page.getByText(`Record ${number} of returned during work`, { exact: true })
    await record.waitFor()
    await page.locator(FORM).getByRole('radio').first().click()
    await submit(page).click()
    await record.waitFor({ state: 'detached' })
  }
  await answerNext(1)
  const answers = async () => (await storedRecords(server, id)).flatMap(({ responses }) => responses)
  await expect.poll(async () => (await answers()).length).toBe(1)
  await callAsOwner(server, 'POST', `/responses/${(await answers())[0]?.id}/return`, { comment: 'Look again' })
  await answerNext(2)
  await answerNext(3)
  await page.getByText('Record 1 of returned during work', { exact: true }).waitFor()
  await page.getByText('Look again').waitFor()
  await submit(page).click()
  await expect.poll(async () => (await answers()).map(({ status }) => status)).toEqual(Array(3).fill('submitted'))
  await done()
})
