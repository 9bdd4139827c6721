import { detail } from '@postil/testkit/detail.ts'
import { expect, test } from 'vitest'
import { findViolations, openPage, PHONE } from '../../harness/browser.ts'
import { OWNER } from '../../harness/server.ts'
import { type UiKey, ui } from '../../harness/ui-text.ts'
import { callAsOwner } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()
const text = (key: string, values = {}) => ui(`features/overview:comparisons.${key}` as UiKey, values)

/** A published dataset with a comparison question and answers about three models. */
const seed = async (dataset: string): Promise<string> => {
  const call = (method: string, path: string, body = {}) => callAsOwner(team.server, method, path, body)
  const { id } = await call('POST', '/datasets', { name: dataset, workspace_id: team.workspaceId })
  for (const [name, title] of [
    ['response_a', 'First response'],
    ['response_b', 'Second response'],
  ])
    await call('POST', `/datasets/${id}/fields`, { name, title, required: true, settings: { type: 'text', use_markdown: false } })
  for (const name of ['model_a', 'model_b'])
    await call('POST', `/datasets/${id}/metadata-properties`, { name, title: name, settings: { type: 'terms' } })
  const options = ['a', 'tie', 'b'].map((value) => ({ value, text: value }))
  const compare = { options: { a: 'response_a', b: 'response_b' }, ties: 'tie' }
  await call('POST', `/datasets/${id}/questions`, {
    name: 'better',
    title: 'Which is better?',
    required: true,
    settings: { type: 'label_selection', postil_kind: 'comparison', options, compare },
  })
  await call('PUT', `/datasets/${id}/publish`)
  const { items } = await callAsOwner<{ items: readonly { id: string; username: string }[] }>(team.server, 'GET', '/users')
  const owner = items.find(({ username }) => username === OWNER.username)?.id
  const answers = [
    ...Array.from({ length: 6 }, () => ['a', 'large', 'small'] as const),
    ...Array.from({ length: 2 }, () => ['b', 'large', 'small'] as const),
    ['tie', 'small', 'tiny'] as const,
    ['a', 'unbeaten', 'large'] as const,
  ]
  await call('POST', `/datasets/${id}/records/bulk`, {
    items: answers.map(([value, model_a, model_b], at) => ({
      fields: { response_a: `One ${at}`, response_b: `Two ${at}` },
      metadata: { model_a, model_b },
      responses: [
        { user_id: owner, status: 'submitted', values: { better: { value } }, shown: { better: ['response_a', 'response_b'] } },
      ],
    })),
  })
  return id
}

test('shows preferred fields, side bias and the ranking of models', async () => {
  const id = await seed('arena')
  const opened = await openPage(team.browser, team.server.url)
  const { page } = opened
  await createSession(page, team.server.url)
  await page.goto(`/dataset/${id}/overview`)
  await page.getByRole('link', { name: ui('features/overview:section.comparisons') }).click()
  await page.getByText(text('sides_other', { shown: '9', share: '78%', low: '45%', high: '94%' })).waitFor()
  expect(await page.getByRole('row', { name: /First response/ }).textContent()).toContain('70%')
  // The metadata properties `model_a` and `model_b` are recognized by their names as the names of the compared models.
  const ranking = page.getByRole('region', { name: text('ranking', { title: 'Which is better?' }) })
  const rows = () =>
    ranking.getByRole('row').evaluateAll((all) => all.slice(1).map((row) => row.querySelector('th')?.textContent))
  await expect.poll(rows).toEqual(['large', 'small', 'tiny', 'unbeaten'])
  await ranking
    .getByRole('row', { name: /unbeaten/ })
    .getByText(text('unranked'))
    .waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByLabel(text('modelOf', { field: 'First response' })).selectOption('')
  await ranking.waitFor({ state: 'detached' })
  expect(opened.complaints()).toEqual([])
  await opened.close()
})

detail('fits on a phone', async () => {
  const id = await seed('arena on a phone')
  const opened = await openPage(team.browser, team.server.url, PHONE)
  await createSession(opened.page, team.server.url)
  await opened.page.goto(`/dataset/${id}/overview?section=comparisons`)
  await opened.page.getByRole('region', { name: text('ranking', { title: 'Which is better?' }) }).waitFor()
  expect(await opened.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  expect(await findViolations(opened.page)).toEqual([])
  await opened.close()
})
