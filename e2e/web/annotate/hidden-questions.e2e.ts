import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, openPage } from '../../harness/browser.ts'
import { QUESTIONS, storedAnswers, storedRecords } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { callAsOwner, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()
const { seedRecords, open } = annotationTest(team)

const { tone } = QUESTIONS
const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))
const reason = {
  title: 'Reason',
  required: true,
  settings: { type: 'label_selection', options: options('price', 'delay') },
}
const turns = {
  title: 'Helpful',
  required: true,
  settings: {
    type: 'span',
    postil_kind: 'turns',
    field: 'chat',
    options: options('good', 'bad'),
    unit: { of: 'turn', roles: ['assistant'] },
  },
}
const fields = [
  { name: 'text', title: 'Text', required: true, settings: { type: 'text', use_markdown: false } },
  { name: 'chat', title: 'Chat', required: false, settings: { type: 'chat', use_markdown: false } },
]
const lang = { name: 'lang', title: 'Language', settings: { type: 'terms' } }
const record = (number: number, language = 'en') => ({
  external_id: String(number),
  metadata: { lang: language },
  fields: {
    text: `Text of record ${number}`,
    chat: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello' },
    ],
  },
})
type Named = { readonly id: string; readonly name: string }
const idOf = async (dataset: string, name: string) => {
  const { items } = await callAsOwner<{ items: Named[] }>(team.server, 'GET', `/datasets/${dataset}/questions`)
  return items.find((question) => question.name === name)?.id ?? ''
}
const showOnlyIn = async (dataset: string, name: string, language: string) =>
  callAsOwner(team.server, 'PATCH', `/questions/${await idOf(dataset, name)}`, {
    shown_when: { all: [{ metadata: 'lang', in: [language] }] },
  })
const titles = async (page: Page) =>
  (await page.locator('[data-question] h2').allInnerTexts()).map((title) => title.split('\n')[0]?.replace(/ \*.*$/, ''))

test('an answer that waits for the connection has no values of hidden questions, and gets the labels of today', async () => {
  const id = await seedRecords([record(1), record(2)], {
    fields,
    questions: { tone, reason: { ...reason, shown_when: { all: [{ question: 'tone', in: ['negative'] }] } }, turns },
  })
  const { page, done } = await open(id)
  await expect.poll(() => titles(page)).toEqual(['Tone', 'Helpful'])
  await page.context().setOffline(true)
  await page.keyboard.press('3')
  await expect.poll(() => titles(page)).toEqual(['Tone', 'Reason', 'Helpful'])
  await page.keyboard.press('2')
  await page.keyboard.press('1')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('1')
  await expect.poll(() => titles(page)).toEqual(['Tone', 'Helpful'])
  await page.keyboard.press('Control+Enter')
  const rename = (question_id: string, label: string) => ({
    type: 'rename_label',
    question_id,
    label,
    value: `${label}-2`,
    text: label,
  })
  const { token } = await callAsOwner<{ token: string }>(team.server, 'POST', `/datasets/${id}/schema/plan`, {
    changes: [rename(await idOf(id, 'tone'), 'positive'), rename(await idOf(id, 'turns'), 'good')],
  })
  await callAsOwner(team.server, 'POST', `/datasets/${id}/schema/apply`, { token })
  await page.context().setOffline(false)
  await expect
    .poll(async () => [...(await storedAnswers(team.server, id)).values()], { timeout: 40_000 })
    .toEqual([{ status: 'submitted', values: { tone: 'positive-2', turns: [{ label: 'good-2', start: 3, end: 8 }] } }])
  await done()
})

detail('a bulk answer in the browser leaves out the questions that are hidden on a record', async () => {
  const id = await seedRecords([record(1, 'de'), record(2), record(3)], {
    fields: fields.slice(0, 1),
    questions: { tone, reason },
    metadata: [lang],
    records: [record(1, 'de'), record(2), record(3)].map(({ fields: { text }, ...rest }) => ({ ...rest, fields: { text } })),
  })
  await showOnlyIn(id, 'reason', 'de')
  const { page, complaints, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
  await page.goto(`/dataset/${id}/annotation-mode?page=1~10`)
  await expect.poll(() => page.locator('li[data-record]').count()).toBe(3)
  // The form asks every question that is shown on any of the records.
  await expect.poll(() => titles(page)).toEqual(['Tone', 'Reason'])
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Control+a')
  await expect.poll(() => page.locator('li[data-selected]').count()).toBe(3)
  await page.getByRole('radio', { name: 'Neutral' }).click()
  await page.getByRole('radio', { name: 'delay' }).click()
  await page.keyboard.press('Control+Enter')
  await expect
    .poll(async () =>
      Object.fromEntries(
        (await storedRecords(team.server, id)).map(({ external_id, responses }) => [external_id, responses[0]?.values]),
      ),
    )
    .toEqual({
      1: { tone: { value: 'neutral' }, reason: { value: 'delay' } },
      2: { tone: { value: 'neutral' } },
      3: { tone: { value: 'neutral' } },
    })
  expect(complaints()).toEqual([])
  await close()
})

detail('a review asks only for the questions that are shown, and can finish without the others', async () => {
  const id = await seedRecords([record(1, 'de'), record(2)], {
    fields,
    questions: { tone, reason, turns },
    metadata: [lang],
    minSubmitted: 2,
  })
  await showOnlyIn(id, 'reason', 'de')
  const people = [
    await seedUser(team.server, 'hanna', 'annotator', [team.workspaceId]),
    await seedUser(team.server, 'hugo', 'annotator', [team.workspaceId]),
  ]
  const stored = await storedRecords(team.server, id)
  const items = stored.map(({ id: record_id, external_id }) => ({
    id: record_id,
    responses: people.map((user_id, i) => ({
      user_id,
      status: 'submitted',
      values: {
        tone: { value: i === 0 ? 'positive' : 'negative' },
        ...(external_id === '1' && { reason: { value: 'price' } }),
        turns: { value: [{ label: i === 0 ? 'good' : 'bad', start: 3, end: 8 }] },
      },
    })),
  }))
  await callAsOwner(team.server, 'PUT', `/datasets/${id}/records/bulk`, { items })
  await callAsOwner(team.server, 'PUT', `/datasets/${id}/review-settings`, { mode: 'disagreements' })
  const { page, complaints, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
  const second = stored.find(({ external_id }) => external_id === '2')
  await page.goto(`/dataset/${id}/review?record=${second?.id}`)
  const group = (title: string) => page.getByRole('radiogroup', { name: title })
  await group('Tone').waitFor()
  await group('Helpful').waitFor()
  expect(await group('Reason').count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('1')
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  type Compared = { gold: { final: boolean; values: { [name: string]: { value: unknown } } } | null }
  const gold = async () => (await callAsOwner<Compared>(team.server, 'GET', `/records/${second?.id}/comparison`)).gold
  await expect.poll(async () => (await gold())?.final).toBe(true)
  expect(Object.keys((await gold())?.values ?? {})).toEqual(['tone', 'turns'])
  expect(complaints()).toEqual([])
  await close()
})
