import { detail } from '@postil/testkit/detail.ts'
import { beforeAll, expect } from 'vitest'
import { findViolations, openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()
let users: string[] = []
beforeAll(async () => {
  users = []
  for (const name of ['ann', 'ben', 'cyd']) users.push(await seedUser(team.server, name, 'annotator', [team.workspaceId]))
})

/** Four records: two on which all agree, one with a majority, and one on which nobody agrees. */
const answers = [
  ['yes', 'yes', 'yes'],
  ['no', 'no', 'no'],
  ['yes', 'yes', 'no'],
  ['yes', 'no', 'maybe'],
]

detail('a lead accepts the answers on which people agree, and can undo it', async () => {
  const { server, workspaceId } = team
  const { id } = await callAsOwner(server, 'POST', '/datasets', { name: 'agreed', workspace_id: workspaceId })
  await callAsOwner(server, 'POST', `/datasets/${id}/fields`, {
    name: 'text',
    title: 'Text',
    required: true,
    settings: { type: 'text' },
  })
  const options = ['yes', 'no', 'maybe'].map((value) => ({ value, text: value }))
  const settings = { type: 'label_selection', options }
  await callAsOwner(server, 'POST', `/datasets/${id}/questions`, { name: 'label', title: 'Label', required: true, settings })
  await callAsOwner(server, 'PUT', `/datasets/${id}/publish`)
  const items = answers.map((given, i) => ({
    fields: { text: `text ${i}` },
    responses: given.map((value, j) => ({ user_id: users[j], status: 'submitted', values: { label: { value } } })),
  }))
  await callAsOwner(server, 'POST', `/datasets/${id}/records/bulk`, { items })
  await callAsOwner(server, 'PUT', `/datasets/${id}/review-settings`, { mode: 'disagreements' })
  const finals = async (): Promise<number> => {
    const filters = { and: [{ type: 'terms', scope: { entity: 'record', property: 'review' }, values: ['final'] }] }
    return (await callAsOwner<{ total: number }>(server, 'POST', `/datasets/${id}/records/search`, { filters })).total
  }

  const { page, complaints, close } = await openPage(team.browser, server.url)
  await createSession(page, server.url)
  await page.goto(`/dataset/${id}/review`)
  await page.getByRole('button', { name: ui('features/review:fill.open') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(ui('features/review:fill.would', { count: 2, shown: '2' })).waitFor()
  await dialog.getByRole('radio', { name: ui('features/review:fill.rules.majority') }).check()
  await dialog.getByText(ui('features/review:fill.would', { count: 3, shown: '3' })).waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await finals()).toBe(0)
  await dialog.getByRole('radio', { name: ui('features/review:fill.rules.mace') }).check()
  await dialog.getByText(ui('features/review:reliability.title')).click()
  await dialog.getByRole('row', { name: /^ann 4 \d+%$/ }).waitFor()
  await dialog.getByLabel(ui('features/review:fill.probable')).fill('100')
  await dialog.getByText(ui('features/review:fill.probableFault')).waitFor()
  await dialog.getByLabel(ui('features/review:fill.probable')).fill('90')
  await dialog.getByText(ui('features/review:reliability.title')).waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('radio', { name: ui('features/review:fill.rules.majority') }).check()
  await dialog.getByText(ui('features/review:fill.would', { count: 3, shown: '3' })).waitFor()
  await dialog.getByRole('button', { name: ui('features/review:fill.action') }).click()
  await page
    .getByText(ui('features/review:fill.done', { count: 3, shown: '3' }))
    .first()
    .waitFor()
  await page.getByText(ui('features/review:left', { count: 1, shown: '1' })).waitFor()
  expect(await finals()).toBe(3)
  await page.getByRole('button', { name: ui('features/review:fill.undo') }).click()
  await page
    .getByText(ui('features/review:fill.undone', { count: 3, shown: '3' }))
    .first()
    .waitFor()
  expect(await finals()).toBe(0)
  await page.goto(`/dataset/${id}/records`)
  await page.getByRole('checkbox', { name: ui('features/records:select.all') }).check()
  await page.getByRole('button', { name: ui('features/review:fill.open') }).click()
  await dialog.getByText(ui('features/review:fill.would', { count: 2, shown: '2' })).waitFor()
  await dialog.getByRole('button', { name: ui('features/review:fill.action') }).click()
  await page
    .getByText(ui('features/review:fill.done', { count: 2, shown: '2' }))
    .first()
    .waitFor()
  expect(await finals()).toBe(2)
  expect(complaints()).toEqual([])
  await close()
})
