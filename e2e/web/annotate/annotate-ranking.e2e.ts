import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, PHONE } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { question, TEXT } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { stableBox } from '../support/stable-box.ts'

const { seedRecords, onlyStoredAnswer, open } = annotationTest(setUpSharedTeam())

const options = ['A', 'B', 'C', 'D', 'E', 'F'].map((letter) => ({ value: letter.toLowerCase(), text: `Reply ${letter}` }))
const questions = { replies: { title: 'Replies', required: true, settings: { type: 'ranking', options } } }
const seed = (suggestions = {}) => seedRecords([{ fields: { text: TEXT }, suggestions }], { questions })

/** The ranks and names of the ranked cards, for example `1a 2b`. */
const ranks = (page: Page): Promise<string> =>
  question(page, 'replies')
    .locator('[data-rank]:not([data-rank=""]) [data-card]')
    .evaluateAll((cards) =>
      cards
        .map((card) => `${card.closest<HTMLElement>('[data-rank]')?.dataset['rank']}${(card as HTMLElement).dataset['card']}`)
        .join(' '),
    )
const card = (page: Page, value: string) => question(page, 'replies').locator(`[data-card="${value}"]`)
const boxOf = (page: Page, selector: string) => stableBox(question(page, 'replies').locator(selector))
const middle = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => ({
  x: x + width / 2,
  y: y + height / 2,
})

const touchPointOn = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  return {
    down: (at: { x: number; y: number }) => touch('touchStart', at),
    move: (at: { x: number; y: number }) => touch('touchMove', at),
    up: () => touch('touchEnd'),
  }
}

test('focus stays in the question after dragging a card and on a card ranked by key, and keys and clicks still work', async () => {
  const { page, done } = await open(await seed())
  const from = middle(await boxOf(page, '[data-card="c"]'))
  const to = await boxOf(page, '[data-rank="2"]')
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x + 200, to.y + to.height / 2, { steps: 6 })
  await page.mouse.up()
  await expect.poll(() => ranks(page)).toBe('2c')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-question'))).toBe('replies')
  await card(page, 'e').focus()
  await page.keyboard.press('Space')
  await expect.poll(() => ranks(page)).toBe('1e 2c')
  expect(await card(page, 'e').evaluate((focused) => focused === document.activeElement)).toBe(true)
  await card(page, 'a').click()
  await expect.poll(() => ranks(page)).toBe('1e 2c 3a')
  await done()
})

test('by touch a card is dragged by its handle, even to ranks out of view, and cards can still be tapped', async () => {
  const { page, done } = await open(await seed(), PHONE)
  const around = await card(page, 'f').evaluateHandle((element) => {
    let around = element.parentElement!
    while (getComputedStyle(around).overflowY !== 'auto') around = around.parentElement!
    return around
  })
  await boxOf(page, '[data-card="f"]')
  const top = await around.evaluate((element) => {
    element.scrollTop = element.scrollHeight
    return element.getBoundingClientRect().top
  })
  const first = async () => middle(await boxOf(page, '[data-rank="1"]'))
  expect((await first()).y).toBeLessThan(top)
  const finger = await touchPointOn(page)
  const grip = middle(await boxOf(page, '[data-card="f"] [data-grip]'))
  await finger.down(grip)
  await finger.move({ x: grip.x, y: grip.y - 20 })
  await finger.move({ x: grip.x, y: top + 8 })
  // Waits until the list has scrolled to its top and the drop target no longer moves.
  await expect.poll(() => around.evaluate(({ scrollTop }) => scrollTop)).toBe(0)
  expect((await first()).y).toBeGreaterThan(top)
  await finger.move({ x: grip.x, y: (await first()).y })
  await finger.up()
  await expect.poll(() => ranks(page)).toBe('1f')
  await card(page, 'b').getByText('Reply B').tap()
  await card(page, 'd').getByText('Reply D').tap()
  await expect.poll(() => ranks(page)).toBe('1f 2b 3d')
  await done()
})

test('the first tap on a card missing from a suggested ranking accepts the rest and ranks that card', async () => {
  const value = ['b', 'd'].map((reply, index) => ({ value: reply, rank: index + 1 }))
  const { page, done } = await open(await seed({ replies: { value } }))
  await card(page, 'a').click()
  await expect.poll(() => ranks(page)).toBe('1b 2d 3a')
  await expect.poll(() => card(page, 'b').getAttribute('data-state')).toBe('on')
  await card(page, 'b').click()
  await expect.poll(() => ranks(page)).toBe('2d 3a')
  await done()
})

test('submitting reports what is missing from an optional ranking that is partly done', async () => {
  const rankingQuestion = (required: boolean) => ({ title: 'Replies', required, settings: { type: 'ranking', options } })
  const id = await seedRecords([{ fields: { text: TEXT } }], {
    questions: { needed: rankingQuestion(true), replies: rankingQuestion(false) },
  })
  const { page, done } = await open(id)
  const say = (name: string, sentence: string) => question(page, name).getByText(sentence).waitFor()
  await card(page, 'a').click()
  await page.keyboard.press('Enter')
  await say('needed', ui('features/annotate:question.missing'))
  await say('replies', ui('question-types/ranking:rankAllOrNone'))
  await question(page, 'needed').locator('[data-card="a"]').click()
  await page.keyboard.press('Enter')
  await say('needed', ui('question-types/ranking:rankAll'))
  await done()
})

test('a suggested ranking without ranks from the SDK is shown in its order in the form and the list, and accepted unchanged', async () => {
  const order = ['f', 'b', 'a', 'c', 'e', 'd']
  const id = await seed({ replies: { value: order.map((value) => ({ value })), agent: 'model' } })
  const { page, done } = await open(id)
  await expect.poll(() => ranks(page)).toBe('1f 2b 3a 4c 5e 6d')
  expect(await card(page, 'f').getAttribute('data-state')).toBe('suggested')
  await page.goto(`/dataset/${id}/annotation-mode?page=1~10`)
  const items = page.locator(`dl[aria-label="${ui('features/annotate:bulk.suggestions')}"] li`)
  await expect.poll(() => items.allInnerTexts()).toEqual(order.map((value, i) => `${i + 1}\nReply ${value.toUpperCase()}`))
  await page.goto(`/dataset/${id}/annotation-mode`)
  await expect.poll(() => ranks(page)).toBe('1f 2b 3a 4c 5e 6d')
  await page.keyboard.press('Enter')
  expect(await onlyStoredAnswer(id)).toEqual({
    status: 'submitted',
    values: { replies: order.map((value, i) => ({ value, rank: i + 1 })) },
  })
  await done()
})

test('an accepted suggested ranking is stored in the order of its ranks, which the SDK returns without ranks', async () => {
  const suggested = { a: 3, b: 3, c: 1, d: 4, e: 6, f: 2 }
  const items = Object.entries(suggested).map(([value, rank]) => ({ value, rank }))
  const id = await seed({ replies: { value: items, agent: 'model', score: items.map(({ rank }) => 1 - rank / 10) } })
  const { page, done } = await open(id)
  await expect.poll(() => ranks(page)).toBe('1c 2f 3a 3b 4d 6e')
  await expect.poll(() => card(page, 'c').innerText()).toContain('0.9')
  await page.keyboard.press('Enter')
  expect(await onlyStoredAnswer(id)).toEqual({
    status: 'submitted',
    values: {
      replies: ['c', 'f', 'a', 'b', 'd', 'e'].map((value) => ({ value, rank: suggested[value as keyof typeof suggested] })),
    },
  })
  await done()
})

test('on a phone, the first of twelve options are in view and ranked by taps', async () => {
  const many = Array.from({ length: 12 }, (_, index) => ({ value: `o${index + 1}`, text: `Option ${index + 1}` }))
  const id = await seedRecords([{ fields: { text: TEXT } }], {
    questions: { replies: { title: 'Replies', required: true, settings: { type: 'ranking', options: many } } },
  })
  const { page, done } = await open(id, PHONE)
  const footer = await stableBox(page.getByRole('button', { name: ui('features/annotate:action.submit') }))
  for (const option of ['o1', 'o2', 'o3', 'o4']) {
    const box = await stableBox(card(page, option))
    expect(box.y + box.height).toBeLessThan(footer.y)
  }
  await card(page, 'o2').getByText('Option 2').tap()
  await card(page, 'o1').getByText('Option 1', { exact: true }).tap()
  await expect.poll(() => ranks(page)).toBe('1o2 2o1')
  await done()
})

test('twelve options are ranked in order by single keys, fit on the screen, and say what is missing', async () => {
  const many = Array.from({ length: 12 }, (_, index) => ({ value: `o${index + 1}`, text: `Option ${index + 1}` }))
  const description = 'Best first.'
  const id = await seedRecords([{ fields: { text: TEXT } }], {
    questions: { replies: { title: 'Replies', description, required: true, settings: { type: 'ranking', options: many } } },
  })
  const { page, done } = await open(id)
  const last = [card(page, 'o12'), question(page, 'replies').locator('[data-rank="12"]')]
  const footer = await stableBox(page.getByRole('button', { name: ui('features/annotate:action.submit') }))
  for (const element of last) {
    const box = await stableBox(element)
    expect(box.y + box.height).toBeLessThan(footer.y)
  }
  await page.keyboard.press('1')
  await page.keyboard.press('2')
  await page.keyboard.press('Shift+Digit2')
  await page.keyboard.press('0')
  await expect.poll(() => ranks(page)).toBe('1o1 2o2 3o12 4o10')
  await page.keyboard.press('2')
  await expect.poll(() => ranks(page)).toBe('1o1 3o12 4o10')
  // Pressing `=` on a card creates a tie.
  await card(page, 'o12').press('=')
  await expect.poll(() => ranks(page)).toBe('1o1 1o12 4o10')
  const submit = page.getByRole('button', { name: ui('features/annotate:action.submit') })
  const describedBy = (element: Locator) =>
    element.evaluate((one) =>
      (one.getAttribute('aria-describedby') ?? '').split(' ').map((part) => {
        const text = document.getElementById(part)
        return text?.checkVisibility() ? text.textContent.trim() : ''
      }),
    )
  const rankAll = ui('question-types/ranking:rankAll')
  expect(await describedBy(submit)).toEqual([`Replies: ${rankAll}`])
  await page.keyboard.press('Enter')
  await expect.poll(() => describedBy(question(page, 'replies'))).toEqual([rankAll, description])
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: ui('features/annotate:question.clear', { title: 'Replies' }) }).click()
  await expect.poll(() => ranks(page)).toBe('')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-question'))).toBe('replies')
  expect(await describedBy(submit)).toEqual([ui('features/annotate:form.toSubmit', { titles: 'Replies' })])
  await page.keyboard.press('Control+z')
  await expect.poll(() => ranks(page)).toBe('1o1 1o12 4o10')
  await done()
})
