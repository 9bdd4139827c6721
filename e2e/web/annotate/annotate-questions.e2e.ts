import { detail } from '@postil/testkit/detail.ts'
import { describe, expect, test } from 'vitest'
import { PHONE } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { dragOverText, expectLeft, FORM, QUESTIONS, question, shownSpans, TEXT } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const { seedRecords, open, onlyStoredAnswer } = annotationTest(setUpSharedTeam())

/** The answer that mouse, keyboard and touch must produce. */
const WANTED = {
  tone: 'neutral',
  topics: ['topic-03', 'topic-05', 'topic-20'],
  quality: 10,
  replies: [
    { value: 'reply-b', rank: 1 },
    { value: 'reply-c', rank: 2 },
    { value: 'reply-a', rank: 3 },
  ],
  // Offsets count code points: the family emoji has five, the line break two.
  entities: [
    { label: 'person', start: 6, end: 18 },
    { label: 'place', start: 59, end: 65 },
  ],
  note: 'Fine — as it is.',
}

detail('a record without the text for a span question can be answered like any other', async () => {
  const field = (name: string, required: boolean) => ({
    name,
    title: name,
    required,
    settings: { type: 'text', use_markdown: false },
  })
  const id = await seedRecords([{ fields: { a: 'All that there is.' } }], {
    fields: [field('a', true), field('b', false)],
    questions: {
      tone: QUESTIONS.tone,
      entities: { ...QUESTIONS.entities, required: true, settings: { ...QUESTIONS.entities.settings, field: 'b' } },
    },
  })
  const { page, done } = await open(id)
  await question(page, 'tone').getByText('Neutral').click()
  await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
  await expectLeft(page, 0)
  expect(await onlyStoredAnswer(id)).toEqual({ status: 'submitted', values: { tone: 'neutral', entities: [] } })
  await done()
})

detail('the form does not mention a missing text when no record is left', async () => {
  const id = await seedRecords([{ fields: { text: TEXT } }], {
    questions: { tone: QUESTIONS.tone, entities: QUESTIONS.entities },
  })
  const { page, done } = await open(id)
  await page.keyboard.press('2')
  await page.keyboard.press('Enter')
  await expectLeft(page, 0)
  await page.locator('main h2').first().waitFor()
  const resting = page.locator(FORM)
  await resting.getByText('Person').waitFor()
  expect(await resting.getByText(uiPattern('question-types/span:noText', {}, { whole: false })).count()).toBe(0)
  await done()
})

describe('every question', () => {
  test('can be answered by mouse', async () => {
    const id = await seedRecords([{ fields: { text: TEXT } }])
    const { page, done } = await open(id)
    await question(page, 'tone').getByText('Neutral').click()
    const topics = question(page, 'topics')
    await topics.getByText('Topic 03').click()
    await topics.getByText('Topic 05').click()
    await topics.getByRole('button', { name: ui('question-types/shared:more', { count: 18 }) }).click()
    await topics.getByText('Topic 20').click()
    await question(page, 'quality').getByText('10', { exact: true }).click()
    for (const card of ['Reply B', 'Reply C', 'Reply A']) await question(page, 'replies').getByText(card).click()
    await question(page, 'entities').getByText('Person').click()
    await dragOverText(page, 'da Lovela')
    await question(page, 'entities').getByText('Place').click()
    await dragOverText(page, 'ondo')
    await expect.poll(() => shownSpans(page)).toEqual(['Person: Ada Lovelace', 'Place: London'])
    await question(page, 'note').locator('textarea').fill(WANTED.note)
    await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
    await expectLeft(page, 0)
    expect(await onlyStoredAnswer(id)).toEqual({ status: 'submitted', values: WANTED })
    await done()
  })

  test('can be answered by keyboard alone', async () => {
    const id = await seedRecords([{ fields: { text: TEXT } }])
    const { page, done } = await open(id)
    const { keyboard } = page
    // The first question has the focus. Choosing one label moves to the next question.
    await keyboard.press('2')
    await keyboard.press('3')
    await keyboard.press('5')
    // Typing a letter searches the labels by name.
    await keyboard.type('topic 20')
    await keyboard.press('Enter')
    await keyboard.press('Escape')
    await keyboard.press('ArrowDown')
    // The digits of a number must follow each other quickly. A slow machine would take too long between two key presses.
    await page.evaluate(() => {
      for (const key of '10') document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    })
    // Each digit ranks the next option.
    await keyboard.press('2')
    await keyboard.press('3')
    await keyboard.press('1')
    await keyboard.press('ArrowDown')
    await keyboard.press('Shift+Enter')
    await keyboard.press('Control+ArrowRight')
    await keyboard.press('ArrowLeft')
    await keyboard.press('ArrowLeft')
    await keyboard.press('ArrowLeft')
    await keyboard.press('Control+Shift+ArrowRight')
    await keyboard.press('Control+Shift+ArrowRight')
    await keyboard.press('1')
    await keyboard.press('Control+End')
    await keyboard.press('ArrowLeft')
    await keyboard.press('Control+Shift+ArrowLeft')
    await keyboard.press('2')
    await expect.poll(() => shownSpans(page)).toEqual(['Person: Ada Lovelace', 'Place: London'])
    await keyboard.press('Escape')
    await keyboard.press('Escape')
    await keyboard.press('ArrowDown')
    await keyboard.press('Shift+Enter')
    await keyboard.type(WANTED.note)
    await keyboard.press('Escape')
    await keyboard.press('Enter')
    await expectLeft(page, 0)
    expect(await onlyStoredAnswer(id)).toEqual({ status: 'submitted', values: WANTED })
    await done()
  })

  detail('can be answered by touch', async () => {
    const id = await seedRecords([{ fields: { text: TEXT } }])
    const { page, done } = await open(id, PHONE)
    await question(page, 'tone').getByText('Neutral').tap()
    await question(page, 'topics').getByText('Topic 03').tap()
    await page.getByRole('button', { name: ui('features/annotate:sheet.raise') }).tap()
    await question(page, 'quality').getByText('7', { exact: true }).tap()
    await page.getByRole('button', { name: ui('features/annotate:action.submit') }).tap()
    await expectLeft(page, 0)
    expect((await onlyStoredAnswer(id))?.values).toEqual({ tone: 'neutral', topics: ['topic-03'], quality: 7, entities: [] })
    await done()
  })
})

detail("letters that no label starts with are left to the page's shortcuts", async () => {
  const { page, done } = await open(await seedRecords([{ fields: { text: TEXT } }]))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.type('qz')
  await page.keyboard.press('2')
  await question(page, 'tone')
    .getByRole('radio', { name: /Neutral/, checked: true })
    .waitFor()
  await done()
})

test('ranking works by dragging, with arrow keys and with two cards on one rank', async () => {
  const id = await seedRecords([{ fields: { text: TEXT } }])
  const { page, done } = await open(id)
  const replies = question(page, 'replies')
  const drag = async (card: string, rank: number) => {
    // Waits until the card stops moving.
    await replies.getByText(card).hover({ position: { x: 5, y: 5 } })
    const to = (await replies.locator(`[data-rank="${rank}"]`).boundingBox())!
    await page.mouse.down()
    await page.mouse.move(to.x + 120, to.y + to.height / 2, { steps: 6 })
    await page.mouse.up()
  }
  await drag('Reply A', 2)
  await drag('Reply B', 2)
  await drag('Reply C', 1)
  await replies.locator('[data-card="reply-c"]').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('button', { name: ui('features/annotate:action.saveDraft') }).click()
  expect((await onlyStoredAnswer(id))?.values['replies']).toEqual([
    { value: 'reply-a', rank: 2 },
    { value: 'reply-b', rank: 2 },
    { value: 'reply-c', rank: 3 },
  ])
  await done()
})

detail('Tab moves through the questions in order, out of the form and back', async () => {
  const id = await seedRecords([{ fields: { text: TEXT } }])
  const { page, done } = await open(id)
  const submit = ui('features/annotate:action.submit')
  const stops: string[] = []
  for (let i = 0; i < 25; i += 1) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement
      return element.closest<HTMLElement>('[data-question]')?.dataset['question'] ?? element.textContent ?? ''
    })
    if (stops.at(-1) !== stop) stops.push(stop)
    if (stop.includes(submit)) break
  }
  expect(stops.slice(0, 6)).toEqual(['tone', 'topics', 'quality', 'replies', 'entities', 'note'])
  expect(stops.at(-1)).toContain(submit)
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await done()
})

detail('Tab reaches the options of an answered question before its Clear button, which is beside the title', async () => {
  const id = await seedRecords([{ fields: { text: TEXT } }], {
    questions: { tone: QUESTIONS.tone, topics: QUESTIONS.topics, quality: QUESTIONS.quality, replies: QUESTIONS.replies },
  })
  const { page, done } = await open(id)
  const nameOfFocus = () =>
    page.evaluate(() => {
      const element = document.activeElement
      return element?.matches('button[aria-label]') ? element.getAttribute('aria-label') : element?.tagName
    })
  for (const name of ['tone', 'topics', 'quality', 'replies']) {
    const { title } = QUESTIONS[name as keyof typeof QUESTIONS]
    const clear = ui('features/annotate:question.clear', { title })
    await question(page, name).focus()
    await page.keyboard.press('1')
    const button = question(page, name).getByRole('button', { name: clear, exact: true })
    await button.waitFor()
    await question(page, name).focus()
    await page.keyboard.press('Tab')
    expect(await nameOfFocus()).not.toBe(clear)
    // Tab reaches the options before the button, although the button is next to the title.
    for (let presses = 0; presses < 40 && (await nameOfFocus()) !== clear; presses += 1) await page.keyboard.press('Tab')
    expect(await nameOfFocus()).toBe(clear)
    const [title1, clear1, whole] = await Promise.all(
      [question(page, name).locator('h2'), button, question(page, name)].map((one) => one.boundingBox()),
    )
    expect(clear1!.y).toBeLessThan(title1!.y + title1!.height)
    expect(clear1!.x + clear1!.width).toBeGreaterThan(whole!.x + whole!.width - 20)
  }
  await done()
})

detail('the shortcut list shows no key that can be changed', async () => {
  const { page, done } = await open(await seedRecords([{ fields: { text: TEXT } }]))
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText(ui('question-types/text:keys.stopEditing')).waitFor()
  await done()
})
