import { sidesFor } from '@postil/contract/comparison-sides.ts'
import type { Response } from '@postil/contract/responses.ts'
import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { expectLeft } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { callAsOwner } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

/* Two responses are compared with the keyboard. Their order depends on the person, so the answer contains the name of the chosen
   field. */

const team = setUpSharedTeam()
const { seedRecords, open } = annotationTest(team)

const field = (name: string, title: string) => ({ name, title, required: true, settings: { type: 'text', use_markdown: false } })
const fields = [field('prompt', 'Prompt'), field('response_a', 'Model One'), field('response_b', 'Model Two')]
const compare = {
  options: { a_much: 'response_a', a: 'response_a', b: 'response_b', b_much: 'response_b' },
  strong: ['a_much', 'b_much'],
  swap: true,
  ties: 'tie',
  both_bad: 'both_bad',
}
const options = ['a_much', 'a', 'tie', 'both_bad', 'b', 'b_much'].map((value) => ({ value, text: value }))
const better = {
  title: 'Better',
  required: true,
  settings: { type: 'label_selection', postil_kind: 'comparison', options, compare },
}
const texts = { response_a: 'The capital of France is Paris.', response_b: 'The capital of France is certainly Lyon.' }
const count = 12
const seed = () =>
  seedRecords(
    Array.from({ length: count }, (_, at) => ({ fields: { prompt: `Question ${at}`, ...texts } })),
    { fields, questions: { better } },
  )

/** The answers in the order of the records. */
const answersOf = async (id: string): Promise<readonly Response[]> => {
  const path = `/datasets/${id}/records?include=responses&limit=100`
  const { items } = await callAsOwner<{ items: readonly { responses: readonly Response[] }[] }>(team.server, 'GET', path)
  return items.flatMap(({ responses }) => responses)
}

const t = 'question-types/comparison' as const
const side = (page: Page, which: 'first' | 'second') => page.getByRole('group', { name: ui(`${t}:side.${which}`), exact: true })
const option = (page: Page, which: 'first' | 'second', much = false) =>
  page.getByRole('radio', { name: ui(`${t}:${much ? 'muchBetter' : 'better'}`, { side: ui(`${t}:side.${which}`) }), exact: true })

test('arrow keys choose a side, and the stored value names the field that was on it', async () => {
  const id = await seed()
  const { page, done } = await open(id)
  const first = async () => ((await side(page, 'first').textContent()) === texts.response_a ? 'response_a' : 'response_b')
  const shownFirst: string[] = []
  await side(page, 'second').waitFor()
  // The titles name the models.
  expect(await page.getByText(/Model (One|Two)/).count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  for (let at = 0; at < count; at += 1) {
    await page.getByText(`Question ${at}`, { exact: true }).waitFor()
    shownFirst.push(await first())
    await page.keyboard.press(at % 2 === 0 ? 'ArrowLeft' : 'Shift+ArrowLeft')
    await expect.poll(() => option(page, 'first', at % 2 === 1).isChecked()).toBe(true)
    await page.keyboard.press('Enter')
    await expectLeft(page, count - 1 - at)
  }
  expect(new Set(shownFirst)).toEqual(new Set(['response_a', 'response_b']))
  await expect.poll(async () => (await answersOf(id)).length).toBe(count)
  const answers = await answersOf(id)
  for (const [at, { record_id, user_id, values, shown }] of answers.entries()) {
    const chosen = shownFirst[at]
    expect(values).toEqual({ better: { value: `${chosen === 'response_a' ? 'a' : 'b'}${at % 2 === 1 ? '_much' : ''}` } })
    expect(shown?.['better']?.[0]).toBe(chosen)
    expect(shown).toEqual({ better: sidesFor(compare, { recordId: record_id, userId: user_id }) })
  }
  await done()
})

detail('the down arrow chooses a tie, differences are marked, and a swapped order stays the same after a reload', async () => {
  const id = await seed()
  const { page, done } = await open(id)
  await side(page, 'first').waitFor()
  const before = await side(page, 'first').textContent()
  await page.keyboard.press('d')
  await expect.poll(() => page.locator('mark').count()).toBeGreaterThan(0)
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.getByRole('radio', { name: ui(`${t}:option.tie`), exact: true }).isChecked()).toBe(true)
  await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(() => page.getByRole('radio', { name: ui(`${t}:option.bothBad`), exact: true }).isChecked()).toBe(true)
  await page.reload()
  await side(page, 'first').waitFor()
  expect(await side(page, 'first').textContent()).toBe(before)
  await done()
})
