import { beforeAll, expect, test } from 'vitest'
import { OWNER } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { FORM, openAnnotation, storedRecords } from '../fixtures/annotation.ts'
import { callAsOwner, seedDataset, seedUser } from '../fixtures/seed.ts'
import { openPageAs, setUpSharedTeam } from '../fixtures/team.ts'

const team = setUpSharedTeam()
let bob = ''
beforeAll(async () => {
  await seedUser(team.server, 'ann', 'annotator', [team.workspaceId])
  await seedUser(team.server, 'lea', 'admin', [team.workspaceId])
  bob = await seedUser(team.server, 'bob', 'annotator', [team.workspaceId])
})

const openAs = (username: string) => openPageAs(team, username)

const DECIDED = 10
/** More records than the page prefetches, so that some are left when the test items stop the annotator. */
const OPEN = 40

/** Creates a dataset. The first ten records have final answers and are answered by Bob. The other records are open. */
const seed = async (name: string) => {
  const id = await seedDataset(team.server, { name, workspaceId: team.workspaceId, records: DECIDED + OPEN })
  const records = await storedRecords(team.server, id)
  const responses = [{ user_id: bob, status: 'submitted', values: { label: { value: 'yes' } } }]
  const decided = records.slice(0, DECIDED)
  const items = decided.map((record) => ({ id: record.id, responses }))
  await callAsOwner(team.server, 'PUT', `/datasets/${id}/records/bulk`, { items })
  for (const { id: record } of decided)
    await callAsOwner(team.server, 'PUT', `/records/${record}/gold`, {
      mutation_id: crypto.randomUUID(),
      base_version: null,
      values: { label: { value: 'yes', source: 'accepted' } },
    })
  return id
}

test('a lead turns on test items, they stop a careless person, and the lead lets the person continue', async () => {
  const id = await seed('checked')
  const save = (view: object) =>
    callAsOwner<{ id: string }>(team.server, 'POST', `/datasets/${id}/views`, { shared: true, ...view })
  const view = await save({ name: 'Records', query: 'search=record~text' })
  await save({ name: 'Nothing', query: 'search=nothing~text' })
  const lead = await openAs('lea')
  await lead.page.goto(`/dataset/${id}/settings?tab=review`)
  await lead.page.getByRole('switch', { name: ui('features/settings:review.checks') }).click()
  await lead.page.getByLabel(ui('features/settings:review.checksEvery')).fill('2')
  await lead.page.getByLabel(ui('features/settings:review.checksStopBelow')).fill('50')
  const choice = lead.page.getByRole('combobox', { name: ui('features/settings:review.checksView') })
  await lead.page.getByText(ui('features/settings:review.viewCount', { count: DECIDED, shown: String(DECIDED) })).waitFor()
  await choice.selectOption({ label: ui('features/settings:review.viewOf', { name: 'Nothing', author: OWNER.username }) })
  await lead.page.getByText(ui('features/settings:review.viewEmpty')).waitFor()
  await choice.selectOption({ label: ui('features/settings:review.viewOf', { name: 'Records', author: OWNER.username }) })
  await lead.page.getByRole('button', { name: ui('features/settings:update'), exact: true }).click()
  const settings = async () =>
    (await callAsOwner<{ checks: unknown }>(team.server, 'GET', `/datasets/${id}/review-settings`)).checks
  const stored = { every: 2, stop_below: 0.5, tolerance: 0, view_id: view.id, view_name: 'Records' }
  await expect.poll(settings).toEqual(stored)

  // A view in use can't be deleted.
  await lead.page.goto(`/dataset/${id}/annotation-mode`)
  await lead.page.getByRole('button', { name: ui('features/annotate:views') }).click()
  await lead.page.getByRole('button', { name: ui('features/saved-views:more', { name: 'Records' }) }).click()
  await lead.page.getByRole('menuitem', { name: ui('features/saved-views:delete') }).click()
  await lead.page.getByRole('button', { name: ui('features/saved-views:delete'), exact: true }).click()
  await lead.page
    .getByText(ui('features/refusals:refusal.viewInUse', { name: 'Records' }))
    .first()
    .waitFor()

  const { page, done } = await openAs('ann')
  await openAnnotation(page, id)
  const isStopped = page.getByRole('heading', { name: ui('features/annotate:end.stopped') })
  const form = page.locator(FORM)
  const record = page.getByText(/^Record \d+ of checked$/)
  for (let answers = 0; answers <= DECIDED + OPEN; answers += 1) {
    await record.or(isStopped).first().waitFor()
    if (await isStopped.isVisible()) break
    const text = await record.innerText()
    await form.getByRole('radio', { name: 'no' }).click()
    await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
    await page.getByText(text, { exact: true }).waitFor({ state: 'detached' })
  }
  await isStopped.waitFor()
  await done()

  await lead.page.goto(`/dataset/${id}/overview?section=people`)
  const notice = lead.page.getByText(ui('features/overview:testItems.stoppedPeople', { count: 1, names: 'ann' }))
  await notice.waitFor()
  const row = lead.page.getByRole('row').filter({ hasText: ui('features/overview:testItems.stopped') })
  expect(await row.getByRole('cell').first().innerText()).toBe('10')
  await lead.page.getByRole('button', { name: ui('features/overview:testItems.letContinueOf', { name: 'ann' }) }).click()
  await notice.waitFor({ state: 'detached' })
  await lead.done()
})
