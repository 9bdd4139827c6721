import { detail } from '@postil/testkit/detail.ts'
import type { Frame, Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { applyTheme, findViolations, openPage, PHONE } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { dragOverText, openAnnotation, RECORD, recordText, shownSpans } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()
const { seedRecords, open } = annotationTest(team)

const text = (name: string, use_markdown = false) => ({
  name,
  title: name,
  required: false,
  settings: { type: 'text', use_markdown },
})
const chat = (use_markdown: boolean) => ({
  name: 'talk',
  title: 'talk',
  required: false,
  settings: { type: 'chat', use_markdown },
})
const custom = (template: string, advanced_mode = false) => ({
  name: 'card',
  title: 'card',
  required: false,
  settings: { type: 'custom', template, advanced_mode },
})
const label = {
  title: 'Tone',
  required: true,
  settings: { type: 'label_selection', options: ['Good', 'Bad'].map((one) => ({ value: one.toLowerCase(), text: one })) },
}
const marks = {
  title: 'Marks',
  required: true,
  settings: { type: 'span', field: 'text', options: [{ value: 'a', text: 'Alpha' }], allow_overlapping: false },
}
type Json = { readonly [key: string]: unknown }
const seed = (fields: readonly object[], values: Json, questions: object = { tone: label }, more: object = {}) =>
  seedRecords([{ fields: values, ...more }], { fields: [{ ...text('id'), required: true }, ...fields], questions })

/** The words that are highlighted as search results, on a page or in a frame. */
const found = (where: Page | Frame): Promise<string[]> =>
  where.evaluate(() => [...(CSS.highlights.get('postil-search') ?? [])].map((range) => String(range)))
const frameOf = (page: Page): Frame | undefined => page.frames().find((frame) => frame.url().endsWith('/frame'))
const searchFor = (page: Page, id: string, words: string) => openAnnotation(page, id, `?search=${words}~all`)

describe('markdown', () => {
  detail('shows highlighted code and formulas, in a text and in a chat', async () => {
    const source =
      'Euler: $e^{i\\pi}+1=0$, so $$e^{i\\pi}=-1$$ in $\\mathbb{C}$, and\n\n$$\\sum_{n=1}^\\infty \\frac1{n^2}$$\n\n```python\ndef add(a, b):\n    return a + b\n```'
    const id = await seed([text('text', true), chat(true)], {
      id: 'x',
      text: source,
      talk: [{ role: 'user', content: source }],
    })
    const { page, done } = await open(id)
    await expect.poll(() => page.locator('main math').count()).toBe(8)
    const count = (which: string) => page.locator(`main math${which}`).count()
    expect(await Promise.all(['[display=block]', ' mfrac', ':has-text("ℂ")'].map(count))).toEqual([4, 2, 2])
    const keyword = page.locator('main pre .hljs-keyword', { hasText: 'return' })
    await expect.poll(() => keyword.count()).toBe(2)
    const colourOf = (one: Locator) => one.evaluate((element) => getComputedStyle(element).color)
    const plain = await colourOf(page.locator('main pre code').first())
    await expect.poll(() => colourOf(keyword.first())).not.toBe(plain)
    expect(await findViolations(page)).toEqual([])
    await done()
  })

  test('from an untrusted source has scripts and styles removed before the browser would block them', async () => {
    const hostile =
      'A <img src="x" onerror="window.ran = 1" onload=window.ran=2> picture, <b style="color: red" ONCLICK=\'window.ran = 3\'>bold</b>.\n\n<details ontoggle="window.ran = 4" open><summary>more</summary>less</details>'
    const id = await seed([text('notes', true), chat(true), text('page')], {
      id: 'x',
      notes: hostile,
      talk: [{ role: 'user', content: hostile }],
      page: '<p onclick="window.ran = 5">A page</p>',
    })
    const { page, done } = await open(id)
    await expect.poll(() => page.locator('main b', { hasText: 'bold' }).count()).toBe(2)
    await expect.poll(() => frameOf(page)?.locator('p').innerText()).toBe('A page')
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
    await done()
  })

  detail('as long as a book is rendered as it scrolls near, and search matches are then marked', async () => {
    const chapter = (number: number) => `## Chapter ${number}\n\n${'Some **bold** words of it.\n\n- one\n- two\n\n'.repeat(20)}`
    const book = Array.from({ length: 300 }, (_, i) => chapter(i + 1)).join('')
    const id = await seed([text('text', true)], { id: 'x', text: `${book}The **heron** at the end.` })
    const { page, done } = await open(id)
    await searchFor(page, id, 'heron')
    const bold = page.locator('main strong')
    await bold.first().waitFor()
    expect(await bold.count()).toBeLessThan(3000)
    // Content that renders above the target moves the target.
    const toEnd = () => page.getByText('at the end').scrollIntoViewIfNeeded()
    await expect.poll(() => toEnd().then(() => bold.last().innerText())).toBe('heron')
    await expect.poll(() => found(page)).toEqual(['heron'])
    await done()
  })

  detail('loads code highlighting and formula rendering only when needed', async () => {
    const id = await seed([text('text', true)], { id: 'x', text: 'Some **bold** words for 5 $.' })
    const { page, done } = await open(id)
    await page.locator('main strong').waitFor()
    const scripts = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    await expect.poll(async () => (await scripts()).some((name) => /Markdown/.test(name))).toBe(true)
    expect((await scripts()).filter((name) => /katex|highlight-/.test(name))).toEqual([])
    await done()
  })
})

describe('search matches are marked', () => {
  test('in plain text, markdown, chat, spans and template output', async () => {
    const id = await seed(
      [text('text'), text('notes', true), chat(false), custom('<p>{{record.fields.card.name}}</p>')],
      {
        id: 'x',
        text: 'A heron stands.',
        notes: 'One **heron** and one heronry.',
        talk: [{ role: 'user', content: 'Heron?' }],
        card: { name: 'The heron' },
      },
      { marks },
    )
    const { page, done } = await open(id)
    await searchFor(page, id, 'heron')
    await expect.poll(async () => (await found(page)).sort()).toEqual(['Heron', 'heron', 'heron'])
    await expect.poll(async () => frameOf(page) && found(frameOf(page)!)).toEqual(['heron'])
    await done()
  })

  detail('in a text with spans, even after a new span is made', async () => {
    const id = await seed([text('text')], { id: 'x', text: 'A heron stands by a heron.' }, { marks })
    const { page, done } = await open(id)
    await searchFor(page, id, 'heron')
    await expect.poll(() => found(page)).toEqual(['heron', 'heron'])
    await page.keyboard.press('1')
    await dragOverText(page, 'A heron stands')
    await expect.poll(() => shownSpans(page)).toEqual(['Alpha: A heron stands'])
    await expect.poll(() => found(page)).toEqual(['heron', 'heron'])
    await done()
  })

  detail('in HTML, which is still rendered', async () => {
    const id = await seed([text('text')], { id: 'x', text: '<p>A <b>heron</b> and another heron</p>' })
    const { page, done } = await open(id)
    await searchFor(page, id, 'heron')
    await expect.poll(async () => frameOf(page) && found(frameOf(page)!)).toEqual(['heron', 'heron'])
    await page.getByRole('button', { name: ui('field-types/text:showSource') }).click()
    await expect.poll(() => found(page)).toEqual(['heron', 'heron'])
    await done()
  })

  detail('even if a template script writes later', async () => {
    const template = `<div id="late"></div><script>setTimeout(() => { document.getElementById('late').textContent = 'late heron' }, 300)</script>`
    const id = await seed([custom(template, true)], { id: 'heron', card: { name: 'heron' } })
    const { page, done } = await open(id)
    await searchFor(page, id, 'heron')
    await expect.poll(async () => frameOf(page) && found(frameOf(page)!)).toEqual(['heron'])
    await done()
  })
})

describe('a custom field', () => {
  test('is as high as its content, follows the theme and shows the next record', async () => {
    const template = `<style>p { height: {{record.fields.card.height}}px; margin: 0; color: var(--ink) }</style><p>{{record.fields.card.name}}</p>`
    const id = await seedRecords(
      [1, 2].map((number) => ({ fields: { id: `x${number}`, card: { name: `Card ${number}`, height: number * 150 } } })),
      { fields: [{ ...text('id'), required: true }, custom(template)], questions: { tone: label } },
    )
    const { page, done } = await open(id, { theme: 'light' })
    const frame = page.locator('main iframe')
    const shown = page.frameLocator('main iframe').locator('p')
    const height = async (): Promise<number> => Math.round((await frame.boundingBox())?.height ?? 0)
    await shown.waitFor()
    const first = (await shown.innerText()) === 'Card 1' ? 1 : 2
    await expect.poll(height).toBe(first * 150)
    const ink = () => shown.evaluate((element) => getComputedStyle(element).color)
    const light = await ink()
    await applyTheme(page, 'dark')
    await expect.poll(ink).not.toBe(light)
    await page.keyboard.press('ArrowRight')
    await expect.poll(height).toBe((3 - first) * 150)
    await expect.poll(() => shown.innerText()).toBe(`Card ${3 - first}`)
    await done()
  })
})

describe('a long text with other fields after it', () => {
  const long = Array.from(
    { length: 80 },
    (_, i) => `Line ${i + 1} of a report that goes on${i === 70 ? ' past the heron' : ''}.`,
  ).join('\n')
  const after = { text: long, notes: 'What comes after.' }
  const isCut = (page: Page) => page.locator('main [data-cut]').count()

  detail('is collapsed until it is expanded by pointer, and keeps its state', async () => {
    const id = await seedRecords(
      ['one', 'two'].map((name) => ({ fields: { id: name, ...after } })),
      { fields: [{ ...text('id'), required: true }, text('text'), text('notes')], questions: { tone: label } },
    )
    const { page, done } = await open(id)
    const more = page.getByRole('button', { name: ui('features/annotate:record.moreOf', { title: 'text' }) })
    await more.waitFor()
    // The next field is visible.
    await expect.poll(async () => (await page.getByText('What comes after.').boundingBox())!.y).toBeLessThan(900)
    expect(await findViolations(page)).toEqual([])
    await more.click()
    await expect.poll(() => isCut(page)).toBe(0)
    await page.keyboard.press('Escape')
    const first = await recordText(page)
    await page.locator('[data-question=tone]').press('ArrowRight')
    await expect.poll(() => recordText(page)).not.toBe(first)
    const less = page.getByRole('button', { name: ui('features/annotate:record.lessOf', { title: 'text' }) })
    await less.waitFor()
    await less.scrollIntoViewIfNeeded()
    await less.press('Enter')
    await expect.poll(() => isCut(page)).toBe(1)
    await expect
      .poll(
        async () =>
          (await page.getByRole('button', { name: ui('features/annotate:record.moreOf', { title: 'text' }) }).boundingBox())?.y ??
          0,
      )
      .toBeGreaterThan(100)
    expect(
      await page
        .getByRole('button', { name: ui('features/annotate:record.moreOf', { title: 'text' }) })
        .getAttribute('aria-expanded'),
    ).toBe('false')
    await done()
  })

  detail('has its final height before the code that expands it has loaded', async () => {
    const id = await seed([text('text'), text('notes')], { id: 'x', ...after })
    const opened = await openPage(team.browser, team.server.url, { isNew: true })
    await createSession(opened.page, team.server.url)
    const code = Promise.withResolvers<void>()
    await opened.page.route(/\/assets\/LongField-[^/]*\.js/, async (route) => {
      await code.promise
      await route.continue()
    })
    await openAnnotation(opened.page, id)
    const next = opened.page.getByText('What comes after.')
    await next.waitFor()
    const more = opened.page.getByRole('button', { name: ui('features/annotate:record.moreOf', { title: 'text' }) })
    expect(await more.count()).toBe(0)
    const before = (await next.boundingBox())?.y
    code.resolve()
    await more.waitFor()
    expect((await next.boundingBox())?.y).toBeCloseTo(before ?? 0, 0)
    expect(opened.complaints()).toEqual([])
    await opened.close()
  })

  detail('expands when keys move into it, and for search matches in it', async () => {
    const id = await seed([text('text'), text('notes')], { id: 'x', ...after }, { marks })
    const { page, done } = await open(id)
    await page.getByRole('button', { name: ui('features/annotate:record.moreOf', { title: 'text' }) }).waitFor()
    await expect.poll(() => isCut(page)).toBe(1)
    await page.keyboard.press('Shift+Enter')
    await expect.poll(() => isCut(page)).toBe(0)
    await page.locator('[data-span-text]:focus').waitFor()
    // The cursor always stays visible.
    await page.keyboard.press('Control+End')
    const pane = (await page.locator(RECORD).boundingBox())!
    await expect
      .poll(() =>
        page.evaluate(() => {
          const line = document.querySelector('[data-span-text] > span:last-child')
          return line ? line.getBoundingClientRect().bottom : Number.NaN
        }),
      )
      .toBeLessThan(pane.y + pane.height)
    await searchFor(page, id, 'heron')
    await expect.poll(() => found(page)).toEqual(['heron'])
    await expect.poll(() => isCut(page)).toBe(0)
    await searchFor(page, id, 'comes')
    await expect.poll(() => found(page)).toEqual(['comes'])
    await expect.poll(() => isCut(page)).toBe(1)
    await done()
  })

  detail('expands for a span that is selected in the list', async () => {
    const start = long.indexOf('heron')
    const suggestions = { marks: { value: [{ label: 'a', start, end: start + 5 }] } }
    const id = await seed([text('text'), text('notes')], { id: 'x', ...after }, { marks }, { suggestions })
    const { page, done } = await open(id)
    await page.getByRole('button', { name: ui('features/annotate:record.moreOf', { title: 'text' }) }).waitFor()
    await page.getByRole('button', { name: ui('question-types/span:count', { count: 1 }) }).click()
    await page
      .getByRole('listbox', { name: ui('question-types/span:spans') })
      .getByRole('option')
      .click()
    await expect.poll(() => isCut(page)).toBe(0)
    const marked = page.locator('[data-marked]')
    await expect
      .poll(async () => {
        const at = (await marked.boundingBox())!
        return at.y > 0 && at.y < 900
      })
      .toBe(true)
    await done()
  })

  detail('leaves space for the rest on a phone', async () => {
    const id = await seed([text('text'), text('notes')], { id: 'x', ...after })
    const { page, done } = await open(id, PHONE)
    await page.getByRole('button', { name: ui('features/annotate:record.moreOf', { title: 'text' }) }).tap()
    await expect.poll(() => isCut(page)).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await done()
  })
})

detail('a thread of five hundred markdown turns scrolls quickly', async () => {
  const talk = Array.from({ length: 500 }, (_, i) => ({
    role: ['user', 'assistant', 'tool'][i % 3],
    content: `Turn ${i + 1} with **bold** words.\n\n${'Some more of it. '.repeat(i % 7)}\n\n- one\n- two`,
  }))
  const id = await seed([chat(true)], { id: 'x', talk })
  const { page, done } = await open(id)
  await page.getByText('Turn 1 with', { exact: false }).first().waitFor()
  await expect.poll(() => page.locator('main ol strong').count()).toBeGreaterThan(10)
  expect(await page.locator('main ol strong').count()).toBeLessThan(250)
  await expect.poll(() => page.locator('main ol > li').count()).toBe(500)
  const last = page.locator('main ol > li').last()
  await last.scrollIntoViewIfNeeded()
  await last.locator('strong').waitFor()
  await expect.poll(() => last.textContent()).toContain('Turn 500')
  await done()
})
