import { detail } from '@postil/testkit/detail.ts'
import { variants } from '@postil/testkit/run-size.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PHONE } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { expectLeft, FORM, openAnnotation, QUESTIONS, question, shownSpans, storedRecords, TEXT } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { callAsOwner } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const team = setUpSharedTeam()
const { seedRecords, open, onlyStoredAnswer } = annotationTest(team)
const server = () => team.server

const suggestions = {
  tone: { value: 'negative', score: 0.83, agent: 'tone-mini' },
  topics: { value: ['topic-09', 'topic-02'], score: [0.9, 0.4], agent: 'tagger' },
  quality: { value: 7, score: 0.6, agent: 'tone-mini' },
  entities: { value: [{ label: 'person', start: 6, end: 18 }], score: [0.95], agent: 'ner' },
  note: { value: 'Suggested words', score: 0.5, agent: 'writer' },
}

test('suggestions are shown with agent and score, and submitted unchanged', async () => {
  const id = await seedRecords([{ fields: { text: TEXT }, suggestions }])
  const { page, done } = await open(id)
  for (const agent of ['tone-mini', 'tagger', 'ner', 'writer']) await page.getByText(agent).first().waitFor()
  await question(page, 'tone').getByText('0.8').first().waitFor()
  expect(await question(page, 'tone').locator('[data-state=suggested]').innerText()).toContain('Negative')
  await page.keyboard.press('Enter')
  const answer = await onlyStoredAnswer(id)
  expect(answer?.values).toEqual({
    tone: 'negative',
    topics: ['topic-09', 'topic-02'],
    quality: 7,
    entities: suggestions.entities.value,
    note: 'Suggested words',
  })
  await done()
})

test.each(variants(1, [ui('features/annotate:action.submit'), ui('features/annotate:action.discard')]))(
  'a double click on %s answers one record, and not the next one with its suggestions',
  async (name) => {
    const id = await seedRecords([1, 2].map(() => ({ fields: { text: TEXT }, suggestions })))
    const { page, done } = await open(id)
    // Dispatches both clicks as the browser does for a double click. On a slow machine, real clicks would be too far apart.
    await page.getByRole('button', { name }).evaluate(async (button) => {
      for (const detail of [1, 2]) {
        button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }))
        await Promise.resolve()
      }
    })
    await expectLeft(page, 1)
    await done()
  },
)

detail('suggestions are accepted by the first click and removed by the next', async () => {
  const id = await seedRecords([{ fields: { text: TEXT }, suggestions }])
  const { page, done } = await open(id)
  const negative = question(page, 'tone').getByRole('radio', { name: /Negative/ })
  await page.keyboard.press('3')
  await expect.poll(() => negative.getAttribute('data-state')).toBe('on')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('3')
  await expect.poll(() => negative.getAttribute('data-state')).toBe('off')
  const topic = question(page, 'topics').getByRole('option', { name: /Topic 02/ })
  await topic.click()
  await expect.poll(() => topic.getAttribute('data-state')).toBe('on')
  expect(
    await question(page, 'topics')
      .getByRole('option', { name: /Topic 09/ })
      .getAttribute('data-state'),
  ).toBe('suggested')
  await done()
})

detail("suggestions in markdown are rendered next to the user's text, which has at least four lines", async () => {
  const id = await seedRecords([{ fields: { text: TEXT }, suggestions: { note: { value: 'Very **strong** words' } } }], {
    questions: { note: { title: 'Note', required: true, settings: { type: 'text', use_markdown: true } } },
  })
  const { page, done } = await open(id)
  const note = question(page, 'note')
  await note.locator('strong').click()
  const field = note.locator('textarea')
  await field.fill('Mine')
  const lines = await field.evaluate((element) => {
    const { height, lineHeight, paddingTop, borderTopWidth } = getComputedStyle(element)
    const px = Number.parseFloat
    return (px(height) - 2 * px(paddingTop) - 2 * px(borderTopWidth)) / px(lineHeight)
  })
  expect(Math.round(lines * 10) / 10).toBe(4)
  await note.getByRole('button', { name: ui('question-types/text:showSuggestion') }).click()
  await note.locator('strong', { hasText: 'strong' }).waitFor()
  await expect.poll(() => note.getByText('**').count()).toBe(0)
  await done()
})

detail('a suggested span can be accepted, relabeled and removed', async () => {
  const id = await seedRecords([{ fields: { text: TEXT }, suggestions }])
  const { page, done } = await open(id)
  const span = page.locator('[data-span-text] [data-marked]').first()
  await span.click()
  const menu = page.getByRole('dialog')
  expect(await menu.innerText()).toContain(ui('question-types/span:suggestedBy', { agent: 'ner, 1.0' }))
  await menu.getByRole('combobox').fill('pla')
  await page.keyboard.press('Enter')
  await expect.poll(() => shownSpans(page)).toEqual(['Place: Ada Lovelace'])
  // Waits so that the next click doesn't count as part of a double click, which would select a word.
  await page.waitForTimeout(700)
  await span.click()
  await menu.getByRole('button', { name: ui('question-types/span:remove') }).click()
  await expect.poll(() => shownSpans(page)).toEqual([])
  await page.keyboard.press('Control+z')
  await expect.poll(() => shownSpans(page)).toEqual(['Place: Ada Lovelace'])
  await done()
})

detail('a suggested ranking can have no ranks, as in an SDK list, and a saved draft leaves nothing to save', async () => {
  const value = ['reply-c', 'reply-a', 'reply-b'].map((reply) => ({ value: reply }))
  const id = await seedRecords([{ fields: { text: TEXT }, suggestions: { replies: { value } } }])
  const { page, done } = await open(id)
  await question(page, 'tone').getByText('Neutral').click()
  await page.getByText(ui('features/annotate:save.edited')).waitFor()
  await page.keyboard.press('Control+s')
  const replies = value.map((one, index) => ({ ...one, rank: index + 1 }))
  expect(await onlyStoredAnswer(id)).toEqual({ status: 'draft', values: { tone: 'neutral', entities: [], replies } })
  await page.getByText(ui('features/annotate:save.edited')).waitFor({ state: 'detached' })
  await done()
})

detail('saved suggestions stay suggestions until they are confirmed, immediately and when their record is reopened', async () => {
  const id = await seedRecords([{ fields: { text: TEXT }, suggestions }])
  const { page, done } = await open(id)
  const states = () =>
    page
      .locator('[data-question] [data-state]:not([data-state=off])')
      .evaluateAll((parts) => parts.map((part) => part.getAttribute('data-state')))
  await expect.poll(async () => new Set(await states())).toEqual(new Set(['suggested', 'on']))
  const saved = await states()
  await page.keyboard.press('Control+s')
  await onlyStoredAnswer(id)
  await page.getByText(ui('features/annotate:save.saved')).first().waitFor()
  await expect.poll(states).toEqual(saved)
  await openAnnotation(page, id, '?status=draft')
  await expect.poll(states).toEqual(saved)
  await question(page, 'tone').getByText('tone-mini').waitFor()
  await done()
})

const outcomesOf = async (id: string) => (await storedRecords(server(), id))[0]?.responses[0]?.suggestion_outcomes
const use = (outcome: string, agent: string) => ({ outcome, agent })

test('each answer says whether its suggestion was confirmed, changed or accepted unseen', async () => {
  const id = await seedRecords([{ fields: { text: TEXT }, suggestions }])
  const { page, done } = await open(id)
  const state = (name: string) => question(page, name)
  const confirm = (name: string) => state(name).getByRole('button', { name: uiPattern('features/annotate:question.confirmOf') })
  await page.keyboard.press('3')
  await state('tone').getByText(ui('features/annotate:question.confirmed')).waitFor()
  await confirm('topics').click()
  await state('topics').getByText(ui('features/annotate:question.confirmed')).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-question'))).toBe('topics')
  await state('quality').getByRole('radio', { name: '4', exact: true }).click()
  await state('quality').getByText(ui('features/annotate:question.changed')).waitFor()
  await confirm('note').waitFor()
  // Confirmations are stored like other edits, so they survive a reload.
  await page.reload()
  await state('topics').getByText(ui('features/annotate:question.confirmed')).waitFor()
  await page.getByRole('button', { name: ui('features/annotate:action.saveDraft') }).click()
  await onlyStoredAnswer(id)
  const first = {
    tone: use('confirmed', 'tone-mini'),
    topics: use('confirmed', 'tagger'),
    quality: use('changed', 'tone-mini'),
    entities: use('accepted_unseen', 'ner'),
    note: use('accepted_unseen', 'writer'),
  }
  expect(await outcomesOf(id)).toEqual(first)
  await openAnnotation(page, id, '?status=draft')
  await state('topics').getByText(ui('features/annotate:question.confirmed')).waitFor()
  await state('quality').getByText(ui('features/annotate:question.changed')).waitFor()
  await confirm('note').click()
  await page.keyboard.press('Control+s')
  await expect.poll(() => outcomesOf(id)).toEqual({ ...first, note: use('confirmed', 'writer') })
  await done()
})

detail('an answer by a script says nothing about its suggestion, and the screen neither', async () => {
  const id = await seedRecords([{ fields: { text: TEXT }, suggestions }])
  const [record] = await storedRecords(server(), id)
  const values = { tone: { value: 'negative' }, entities: { value: [] } }
  await callAsOwner(server(), 'POST', `/records/${record?.id}/responses`, { status: 'draft', values })
  const { page, done } = await open(id)
  await openAnnotation(page, id, '?status=draft')
  await question(page, 'tone').getByText('tone-mini').waitFor()
  for (const text of ['confirm', 'confirmed', 'changed'] as const)
    expect(await page.getByText(ui(`features/annotate:question.${text}`), { exact: true }).count()).toBe(0)
  expect(await outcomesOf(id)).toBeNull()
  await done()
})

detail('in a narrow form the mark of a suggested rating is next to its number, not over it', async () => {
  const id = await seedRecords([10, 0].map((value) => ({ fields: { text: TEXT }, suggestions: { quality: { value } } })))
  const { page, done } = await open(id, { viewport: { width: 1024, height: 800 } })
  for (const place of ['?page=1&status=pending', '?page=2&status=pending']) {
    await openAnnotation(page, id, place)
    const parts = await question(page, 'quality')
      .locator('[data-state=suggested]')
      .evaluate((value) => {
        const digits = document.createRange()
        digits.selectNodeContents(value.firstChild!)
        const { x, y, width, height } = digits.getBoundingClientRect()
        // The digits take up the middle half of the line's height.
        return {
          number: { left: x, right: x + width, top: y + height / 4, bottom: y + height * 0.75 },
          mark: value.querySelector('svg')!.getBoundingClientRect().toJSON(),
        }
      })
    const { number, mark } = parts
    const isOn = mark.left < number.right && mark.right > number.left && mark.top < number.bottom && mark.bottom > number.top
    expect(isOn, JSON.stringify(parts)).toBe(false)
  }
  await done()
})

detail('content that appears below a text being typed scrolls into view with it', async () => {
  const long = 'A line that is suggested.\n'.repeat(12)
  const id = await seedRecords([{ fields: { text: TEXT }, suggestions: { note: { value: long } } }])
  const { page, done } = await open(id, { viewport: { width: 1440, height: 700 } })
  const note = question(page, 'note')
  const below = () =>
    note.evaluate((block) => {
      const form = block.closest('form')!
      const scroll = [...form.querySelectorAll<HTMLElement>('div')].find((part) => getComputedStyle(part).overflowY === 'auto')!
      return Math.max(0, Math.round(block.getBoundingClientRect().bottom - scroll.getBoundingClientRect().bottom))
    })
  await note.locator('textarea').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('x')
  await note.getByRole('button', { name: ui('question-types/text:showSuggestion') }).waitFor()
  await expect.poll(below).toBe(0)
  await done()
})

/** Texts of the parts that extend beyond the form's edges. */
const beyondForm = (page: Page): Promise<string[]> =>
  page.locator(FORM).evaluate((form) => {
    const { left, right } = form.getBoundingClientRect()
    return [...form.querySelectorAll('[data-question], [data-question] *')].flatMap((part) => {
      const box = part.getBoundingClientRect()
      return box.width > 0 && (box.right > right + 1 || box.left < left - 1) ? [part.textContent ?? ''] : []
    })
  })

detail('a suggested span as long as a sentence stays within the form, with its controls', async () => {
  const text = 'A sentence that goes on. '.repeat(8).trim()
  const entities = { ...QUESTIONS.entities, settings: { ...QUESTIONS.entities.settings, allow_character_annotation: true } }
  const id = await seedRecords(
    [{ fields: { text }, suggestions: { entities: { value: [{ label: 'person', start: 0, end: 170 }], score: [0.9] } } }],
    { questions: { entities } },
  )
  const { page, done } = await open(id)
  await page.getByRole('button', { name: ui('question-types/span:count', { count: 1 }) }).click()
  await page
    .getByRole('listbox', { name: ui('question-types/span:spans') })
    .getByRole('option')
    .waitFor()
  expect(await beyondForm(page)).toEqual([])
  await page.getByRole('switch', { name: ui('question-types/span:wholeWords') }).click()
  await done()
})

detail('on a phone a long agent name stays within the form', async () => {
  const agent = 'mistralai/Mixtral-8x22B-Instruct-v0.1:quality-classifier-2024-06-01'
  const id = await seedRecords([{ fields: { text: TEXT }, suggestions: { tone: { value: 'negative', score: 0.83, agent } } }])
  const { page, done } = await open(id, PHONE)
  await page.getByText(agent).waitFor()
  expect(await beyondForm(page)).toEqual([])
  await done()
})
