import { isFullRun } from '@postil/testkit/run-size.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ui } from '../../harness/ui-text.ts'
import { dragOverText, question, storedAnswers } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpTeam } from '../fixtures/team.ts'

const team = setUpTeam({ POSTIL_LABEL_SELECTION_OPTIONS_MAX_ITEMS: '700' })
const { seedRecords, open } = annotationTest(team)

/** The labels that are typed. Each has similar labels, most of which differ only in case, accents or signs. */
const TYPED = ['Résumé', 'polish', 'US', 'c', 'Ü', 'fussball', 'İstanbul', 'news/uk', 'news, uk', '👍🏽', 'cafe\u0301']
const SIMILAR = [
  'Resume',
  'resume',
  'Polish',
  'us',
  'USA',
  'C',
  'Cat',
  'U',
  'u',
  'Fußball',
  'istanbul',
  'News/UK',
  'news',
  '👍',
  'café',
]
const OTHERS = Array.from({ length: 400 }, (_, i) => `Other ${i + 1}`)
const LABELS = [...SIMILAR, ...OTHERS, ...TYPED]
const options = LABELS.map((text) => ({ value: text, text }))

const topics = (more: object = {}) => ({
  topics: { title: 'Topics', required: true, settings: { type: 'label_selection', options, ...more } },
})

const search = (page: Page) => question(page, 'topics').getByLabel(ui('question-types/shared:searchLabels'))
const found = (page: Page) => question(page, 'topics').locator('[data-found]')

test('a label that is typed in full and chosen by Enter is stored exactly as it is written', async () => {
  const id = await seedRecords(
    TYPED.map((_, i) => ({ fields: { text: `Text ${i + 1}` } })),
    { questions: topics({ visible_options: 20 }) },
  )
  const { page, done } = await open(id)
  for (const [answered, typed] of TYPED.entries()) {
    await search(page).fill(typed)
    // The form shows which label Enter picks.
    await expect.poll(() => found(page).getAttribute('data-option')).toBe(typed)
    await page.keyboard.press('Enter')
    // The picked label has the focus, so that Enter submits.
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-option'))).toBe(typed)
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(answered + 1)
  }
  const stored = [...(await storedAnswers(team.server, id)).values()].map(({ values }) => values['topics'])
  expect(stored.toSorted()).toEqual(TYPED.toSorted())
  await done()
})

/** 700 labels, each of which is similar to many others. */
const manyLabels = (): readonly string[] => {
  const accented: { readonly [letter: string]: string } = {
    e: 'é',
    u: 'ü',
    o: 'ø',
    i: 'ï',
    s: 'ś',
    c: 'ç',
    a: 'å',
    n: 'ñ',
    x: 'x\u0302',
  }
  const stems = 'resume polish us c u fussball istanbul naive strasse art x music one ascii cousin e o new-york'.split(' ')
  const all = stems.flatMap((stem) => {
    const title = stem.slice(0, 1).toUpperCase() + stem.slice(1)
    const accents = stem.replace(/[euoiscanx]/g, (letter) => accented[letter] ?? letter)
    const spelled = [stem, stem.toUpperCase(), title, accents, accents.toUpperCase(), accents.normalize('NFD')]
    const letters = [stem.replaceAll('ss', 'ß'), stem.replaceAll('i', 'İ'), stem.replaceAll('i', 'ı')]
    return [...spelled, ...letters].flatMap((one) => [
      one,
      `${one}/a`,
      `${one}, b`,
      `${one} 👍`,
      `${one} 👍🏽`,
      `a ${one}`,
      `(${one})`,
    ])
  })
  return [...new Set(all)].slice(0, 700)
}

test('each of 700 similar labels is found by typing it in full, chosen by Enter and stored exactly', async () => {
  const labels = manyLabels()
  expect(labels).toHaveLength(700)
  const typed = labels.filter((_, i) => isFullRun || i % 29 === 0)
  const similar = labels.map((value) => ({ value, text: value }))
  const id = await seedRecords(
    typed.map((_, i) => ({ fields: { text: `Text ${i + 1}` } })),
    { questions: topics({ options: similar, visible_options: 20 }) },
  )
  const { page, done } = await open(id)
  for (const [answered, label] of typed.entries()) {
    await search(page).fill(label)
    await expect.poll(() => found(page).getAttribute('data-option')).toBe(label)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-option'))).toBe(label)
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(answered + 1)
  }
  const stored = [...(await storedAnswers(team.server, id)).values()].map(({ values }) => values['topics'])
  expect(stored.toSorted()).toEqual(typed.toSorted())
  await done()
})

test('the label that Enter picks is scrolled into view, in the form and in the list of a span', async () => {
  const span = {
    marks: { title: 'Marks', required: true, settings: { type: 'span', field: 'text', options, allow_overlapping: false } },
  }
  const id = await seedRecords([{ fields: { text: 'Somewhere' } }], { questions: { ...span, ...topics() } })
  const { page, done } = await open(id, { viewport: { width: 1000, height: 500 } })
  await search(page).fill('c')
  await expect.poll(() => found(page).getAttribute('data-option')).toBe('c')
  const isVisible = (): Promise<boolean> =>
    found(page).evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    })
  await expect.poll(isVisible).toBe(true)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-option'))).toBe('c')
  await dragOverText(page, 'Somewhere')
  const list = page.getByRole('dialog', { name: ui('question-types/span:labelFor', { text: 'Somewhere' }) })
  await list.locator('input').fill('')
  await list.getByRole('listbox').evaluate((box) => box.scrollTo({ top: box.scrollHeight }))
  await list.locator('input').fill('other')
  expect(await list.getByRole('listbox').evaluate((box) => box.scrollTop)).toBe(0)
  await list.locator('input').fill('résumé')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('[data-chip] bdi').allInnerTexts()).toEqual(['Résumé'])
  await done()
})
