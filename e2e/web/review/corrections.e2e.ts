import { beforeAll, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { FORM, openAnnotation, storedRecords } from '../fixtures/annotation.ts'
import { callAsOwner, PASSWORD, seedDataset, seedUser } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()
let ann = ''
beforeAll(async () => {
  ann = await seedUser(team.server, 'ann', 'annotator', [team.workspaceId])
})

test('an annotator sees own answers beside the final answers, with the reason', async () => {
  const { server, workspaceId } = team
  const id = await seedDataset(server, { name: 'corrected', workspaceId, records: 2 })
  await callAsOwner(server, 'PUT', `/datasets/${id}/review-settings`, { mode: 'all', names: 'hidden' })
  const records = await storedRecords(server, id)
  const responses = [{ user_id: ann, status: 'submitted', values: { label: { value: 'yes' } } }]
  const items = records.map((record) => ({ id: record.id, responses }))
  await callAsOwner(server, 'PUT', `/datasets/${id}/records/bulk`, { items })
  const { page, complaints, close } = await openPage(team.browser, server.url)
  await createSession(page, server.url, 'ann', PASSWORD)
  await openAnnotation(page, id)
  const tabs = page.getByRole('navigation', { name: ui('common:dataset.tabs') })
  expect(await tabs.count()).toBe(0)

  for (const [i, value] of ['no', 'yes'].entries())
    await callAsOwner(server, 'PUT', `/records/${records[i]?.id}/gold`, {
      mutation_id: crypto.randomUUID(),
      base_version: null,
      values: { label: { value, source: 'adjudicated', reason: 'slip', note: 'This is <b>irony</b>.' } },
    })
  await page.reload()
  await tabs.getByRole('link', { name: ui('common:dataset.corrections') }).click()
  await page.getByRole('heading', { name: ui('features/review:corrections.title'), level: 1 }).waitFor()
  const cards = page.getByRole('article')
  await cards.first().waitFor()
  expect(await cards.count()).toBe(1)
  await cards.getByText(String(records[0]?.fields['text'])).waitFor()
  const [own, final] = await cards.getByRole('definition').allInnerTexts()
  expect(own).toMatch(/^yes$/i)
  expect(final).toMatch(/^no\n/i)
  expect(final).toContain(ui('features/review:reason.slip'))
  expect(final).toContain('This is <b>irony</b>.')
  const { username } = await callAsOwner<{ username: string }>(server, 'GET', '/me')
  expect(final).not.toContain(username)

  await cards.getByRole('link', { name: ui('features/review:corrections.open') }).click()
  await page.waitForURL(/annotation-mode/)
  await page.locator(FORM).getByRole('radio', { name: 'yes' }).waitFor()
  expect(complaints()).toEqual([])
  await close()
})
