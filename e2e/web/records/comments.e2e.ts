import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { openAnnotation, storedRecords } from '../fixtures/annotation.ts'
import { callAsOwner, seedDataset, seedUser } from '../fixtures/seed.ts'
import { openPageAs, setUpSharedTeam } from '../fixtures/team.ts'

const team = setUpSharedTeam()
beforeAll(async () => {
  await seedUser(team.server, 'ann', 'annotator', [team.workspaceId])
  await seedUser(team.server, 'rita', 'admin', [team.workspaceId])
})

const seed = async (name: string) => {
  const id = await seedDataset(team.server, { name, workspaceId: team.workspaceId, records: 3 })
  const [first] = await storedRecords(team.server, id)
  if (!first) throw new Error('the dataset has no records')
  return { id, record: first.id }
}
const openAs = (username: string) => openPageAs(team, username)
const title = () => ui('features/comments:title')
const button = (page: Page) => page.getByRole('button', { name: new RegExp(`^${title()}`) })
const threads = (page: Page) => page.getByRole('list', { name: title() }).getByRole('article')
const write = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel(ui('features/comments:new')).fill(text)
  await page.getByRole('button', { name: ui('features/comments:send'), exact: true }).click()
}

test('an annotator asks on a record, an admin answers in Records, and the annotator sees the mention', async () => {
  const { id, record } = await seed('discussed')
  const ann = await openAs('ann')
  await openAnnotation(ann.page, id)
  await button(ann.page).click()
  await write(ann.page, 'Is this <img src=x onerror="document.title=1"> irony?')
  await threads(ann.page).getByText('Is this <img src=x onerror="document.title=1"> irony?').waitFor()
  await ann.page.keyboard.press('Escape')
  await expect.poll(() => button(ann.page).innerText()).toContain('1')

  const rita = await openAs('rita')
  await rita.page.goto(`/dataset/${id}/records?comments=open`)
  await rita.page.getByText('Record 1 of discussed').first().click()
  await rita.page.getByText('Record 2 of discussed').first().waitFor({ state: 'detached' })
  await threads(rita.page)
    .getByText(/irony\?$/)
    .waitFor()
  await rita.page.getByRole('button', { name: ui('features/comments:reply'), exact: true }).click()
  await rita.page.getByLabel(ui('features/comments:reply')).fill('Yes, @ann. See the guidelines.')
  await rita.page.getByRole('button', { name: ui('features/comments:reply'), exact: true }).click()
  await threads(rita.page).getByText('Yes, @ann. See the guidelines.').waitFor()

  await ann.page.goto('/')
  const mention = ui('features/comments:mentionedIn', { name: 'rita', dataset: 'discussed' })
  await ann.page.getByRole('link', { name: mention }).click()
  await button(ann.page).click()
  await threads(ann.page).getByText('Yes, @ann. See the guidelines.').waitFor()
  await ann.page.getByRole('button', { name: ui('features/comments:resolve'), exact: true }).click()
  await ann.page.getByText(uiPattern('features/comments:resolvedBy', { name: 'ann' })).waitFor()
  await ann.page.goto('/')
  await ann.page.getByText('discussed').first().waitFor()
  await expect.poll(() => ann.page.getByRole('link', { name: mention }).count()).toBe(0)
  await ann.done()

  await rita.page.reload()
  await expect.poll(() => rita.page.getByText('Record 1 of discussed').count()).toBeLessThanOrEqual(1)
  const { items } = await callAsOwner<{ items: unknown[] }>(team.server, 'GET', `/records/${record}/comments`)
  expect(items).toHaveLength(2)
  await rita.done()
})

detail('authors change and delete their comments, and shortcuts of the screen stay off while they write', async () => {
  const { id } = await seed('changed')
  const { page, done } = await openAs('ann')
  await openAnnotation(page, id)
  await button(page).click()
  await write(page, 'First')
  await threads(page).getByText('First').waitFor()
  await page.getByRole('button', { name: ui('features/comments:edit'), exact: true }).click()
  await page.getByLabel(ui('features/comments:edit')).fill('1 2 Second')
  await page.keyboard.press('Control+Enter')
  await threads(page).getByText('1 2 Second').waitFor()
  await threads(page).getByText(ui('features/comments:edited')).waitFor()
  await page.getByRole('button', { name: ui('features/comments:delete'), exact: true }).click()
  await threads(page).waitFor({ state: 'detached' })
  expect((await storedRecords(team.server, id)).flatMap(({ responses }) => responses)).toEqual([])
  await done()
})
