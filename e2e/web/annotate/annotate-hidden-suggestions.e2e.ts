import { createHash } from 'node:crypto'
import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, openPage } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { openAnnotation, seedAnnotationDataset } from '../fixtures/annotation.ts'
import { callAsOwner, PASSWORD, seedUser } from '../fixtures/seed.ts'
import { expectSaved, formNamed, openSettings, updateButton } from '../fixtures/settings.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()
const TONE = {
  tone: {
    title: 'Tone',
    required: true,
    settings: { type: 'label_selection', options: ['calm', 'angry'].map((value) => ({ value, text: value })) },
  },
}

const seed = async (name: string, count: number): Promise<string> =>
  seedAnnotationDataset(team.server, {
    name,
    workspaceId: team.workspaceId,
    questions: TONE,
    records: Array.from({ length: count }, (_, i) => ({
      fields: { text: `text ${i}` },
      suggestions: { tone: { value: i % 2 === 0 ? 'calm' : 'angry', agent: 'tone-mini', score: 0.8 } },
    })),
  })

const openAs = async (username: string) => {
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url, username, PASSWORD)
  return opened
}
const settingsOf = (id: string) => callAsOwner(team.server, 'GET', `/datasets/${id}/suggestion-settings`)

test('a lead hides suggestions until there is an answer, and the annotator then sees them', async () => {
  const id = await seed('hidden until answered', 3)
  await seedUser(team.server, 'ann', 'annotator', [team.workspaceId])
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
  const settings = await openSettings(team, id, 'general', 'adam')
  const title = ui('features/settings:suggestions.title')
  const form = formNamed(settings.page, title)
  const share = form.getByLabel(ui('features/settings:suggestions.blindPercent'))
  await share.fill('101')
  await form.getByText(ui('features/settings:suggestions.blindPercentFault')).waitFor()
  await share.fill('0')
  await form
    .getByLabel(ui('features/settings:suggestions.show'))
    .selectOption({ label: ui('features/settings:suggestions.when.after_answer') })
  await updateButton(settings.page, title).click()
  await expectSaved(settings.page, title)
  expect(await settingsOf(id)).toEqual({ show: 'after_answer', blind_share: 0 })
  expect(await findViolations(settings.page)).toEqual([])
  expect(settings.complaints()).toEqual([])
  await settings.close()

  const { page, close, complaints } = await openAs('ann')
  await openAnnotation(page, id)
  const submit = page.getByRole('button', { name: ui('features/annotate:action.submit') })
  expect(await page.getByText('tone-mini').count()).toBe(0)
  expect(await page.locator('[data-state=suggested]').count()).toBe(0)
  await page.getByRole('radio', { name: 'calm' }).click()
  await submit.click()
  await page.getByText('text 1').waitFor()
  expect(await page.getByText('tone-mini').count()).toBe(0)
  await page.getByRole('button', { name: uiPattern('features/annotate:pager.previous') }).click()
  await page.getByText('text 0').waitFor()
  await page.getByText('tone-mini').waitFor()
  await page.getByRole('button', { name: ui('features/annotate:filters.title') }).click()
  await page.getByText(ui('features/annotate:filters.suggestionsHidden')).waitFor()
  expect(complaints()).toEqual([])
  await close()
})

/** Answers all records as the user of the page: with the suggested value if a suggestion is shown, and otherwise with "calm". */
const answerAll = async (page: Page, id: string): Promise<void> => {
  const status = await page.evaluate(async (dataset) => {
    const send = (path: string, body: object) =>
      fetch(`/api/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-postil-csrf': '1' },
        body: JSON.stringify(body),
      })
    const found = await send(`/me/datasets/${dataset}/records/search?include=suggestions&limit=1000`, {})
    type Item = { record: { id: string; suggestions: { value: string; agent: string }[] } }
    const { items } = (await found.json()) as { items: Item[] }
    const answers = items.map(({ record }) => ({
      record_id: record.id,
      status: 'submitted',
      values: { tone: { value: record.suggestions[0]?.value ?? 'calm' } },
      suggestion_outcomes: record.suggestions[0] && { tone: { outcome: 'confirmed', agent: record.suggestions[0].agent } },
    }))
    return (await send('/me/responses/bulk', { items: answers })).status
  }, id)
  expect(status).toBe(200)
}

detail('the overview shows how much suggestions influence answers', async () => {
  const id = await seed('influence', 60)
  await callAsOwner(team.server, 'PUT', `/datasets/${id}/suggestion-settings`, { show: 'always', blind_share: 0.4 })
  const userId = await seedUser(team.server, 'bea', 'annotator', [team.workspaceId])
  const annotator = await openAs('bea')
  await annotator.page.goto('/')
  await answerAll(annotator.page, id)
  await annotator.close()
  const { items } = await callAsOwner<{ items: { id: string }[] }>(team.server, 'GET', `/datasets/${id}/records?limit=100`)
  const isBlind = (record: string) => createHash('sha256').update(`${record} ${userId}`).digest().readUInt32BE(0) < 0.4 * 2 ** 32
  const shown = items.filter((record) => !isBlind(record.id)).length
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url)
  await opened.page.goto(`/dataset/${id}/overview?section=suggestions`)
  const table = opened.page.getByRole('region', { name: ui('features/overview:influence.title') }).getByRole('table')
  const row = table.getByRole('row').filter({ hasText: 'bea' })
  await row.waitFor()
  // She has accepted every suggestion that she saw.
  await expect.poll(() => row.innerText()).toContain(ui('features/overview:influence.of', { equal: shown, answers: shown }))
  expect(await findViolations(opened.page)).toEqual([])
  expect(opened.complaints()).toEqual([])
  await opened.close()
})
