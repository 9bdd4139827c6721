import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { applyTheme, findViolations, openPage, PHONE } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { expectLeft, question, storedAnswers, storedRecords } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { callAsOwner } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()
const { seedRecords, open } = annotationTest(team)

const fields = [
  { name: 'text', title: 'Text', required: true, settings: { type: 'text', use_markdown: false } },
  { name: 'candidates', title: 'Candidates', required: false, settings: { type: 'text', use_markdown: false } },
]
const questions = {
  entity: { title: 'Entity', required: true, settings: { type: 'text', postil_kind: 'choice', choose_from: 'candidates' } },
}
const many = Array.from({ length: 30 }, (_, i) => `Candidate ${String(i + 1).padStart(2, '0')}`)
const long =
  'A candidate whose name is so long that it needs several lines on a phone, with a remark about the place that it names'
const seed = () =>
  seedRecords(
    [
      { external_id: '1', fields: { text: 'Paris won', candidates: `Paris, France\n${long}\nParis Hilton` } },
      { external_id: '2', fields: { text: 'One of many', candidates: JSON.stringify(many) } },
      { external_id: '3', fields: { text: 'Nothing to choose' } },
    ],
    { fields, questions },
  )
const radios = (page: Page) => question(page, 'entity').getByRole('radio')

test('each record offers its own options, which keys choose and a search finds', async () => {
  const id = await seed()
  const { page, done } = await open(id)
  await expect.poll(() => radios(page).count()).toBe(3)
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('3')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await expectLeft(page, 2)
  await expect.poll(() => radios(page).count()).toBe(20)
  await page.keyboard.type('c')
  await page.keyboard.type('andidate 27')
  await page.keyboard.press('Enter')
  await question(page, 'entity').getByRole('radio', { name: 'Candidate 27', checked: true }).waitFor()
  await page.keyboard.press('Control+Enter')
  await expectLeft(page, 1)
  await question(page, 'entity').getByText(ui('question-types/choice:none')).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await expectLeft(page, 0)
  await expect
    .poll(async () => [...(await storedAnswers(team.server, id)).values()].map(({ values }) => values))
    .toEqual([{ entity: 'Paris Hilton' }, { entity: 'Candidate 27' }, { entity: '' }])
  await done()
})

detail('an option that the record no longer lists must be chosen again', async () => {
  const id = await seed()
  const [record] = await storedRecords(team.server, id)
  const answer = { status: 'submitted', values: { entity: { value: 'Paris Hilton' } } }
  await callAsOwner(team.server, 'POST', `/records/${record?.id}/responses`, answer)
  await callAsOwner(team.server, 'PATCH', `/records/${record?.id}`, { fields: { text: 'Paris won', candidates: 'PSG\nParis' } })
  const { page, complaints, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
  await page.goto(`/dataset/${id}/annotation-mode?status=submitted`)
  await page.getByText(ui('question-types/choice:lost', { value: 'Paris Hilton' })).waitFor()
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => page.locator('[data-question="entity"][data-missing]').count()).toBe(1)
  await page.keyboard.press('1')
  await page.keyboard.press('Control+Enter')
  await expect
    .poll(async () => [...(await storedAnswers(team.server, id)).values()].map(({ values }) => values))
    .toEqual([{ entity: 'PSG' }])
  expect(complaints()).toEqual([])
  await close()
})

detail('in the bulk view, options are chosen on each record', async () => {
  const id = await seed()
  const { page, complaints, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
  await page.goto(`/dataset/${id}/annotation-mode?page=1~10`)
  const card = (number: number) => page.locator('li[data-record]').nth(number)
  await card(0).getByRole('radio', { name: 'Paris, France' }).click()
  await card(1).getByRole('radio', { name: 'Candidate 05' }).click()
  await expect.poll(() => page.locator('li[data-selected]').count()).toBe(2)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 2 }) }).click()
  await expect
    .poll(async () => [...(await storedAnswers(team.server, id)).values()].map(({ values }) => values))
    .toEqual([{ entity: 'Paris, France' }, { entity: 'Candidate 05' }])
  expect(complaints()).toEqual([])
  await close()
})

detail('fits on a phone in the dark theme', async () => {
  const { page, done } = await open(await seed(), PHONE)
  await applyTheme(page, 'dark')
  await radios(page).first().waitFor()
  const widths = await radios(page).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
  expect(Math.max(...widths)).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
  expect(await findViolations(page)).toEqual([])
  await done()
})
