import type { Frame, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { PHONE } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { openAnnotation, RECORD, spanQuestion } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { greyPng } from '../support/png.ts'

const { seedRecords, open } = annotationTest(setUpSharedTeam())

const questions = {
  tone: {
    title: 'Tone',
    required: true,
    settings: { type: 'label_selection', options: ['Good', 'Bad'].map((one) => ({ value: one.toLowerCase(), text: one })) },
  },
}
const text = { name: 'text', title: 'Text', required: true, settings: { type: 'text', use_markdown: true } }
const card = (template: string) => ({
  name: 'card',
  title: 'Card',
  required: false,
  settings: { type: 'custom', template, advanced_mode: true },
})

/** For each highlighted search result, the name of the element in which it starts, and its text. */
const foundWords = (where: Page | Frame): Promise<string[]> =>
  where.evaluate(() =>
    [...(CSS.highlights.get('postil-search') ?? [])].map((range) => {
      const { startContainer } = range as Range
      return `${startContainer.parentElement?.localName}: ${range}`
    }),
  )
const frameOf = (page: Page): Frame | undefined => page.frames().find((frame) => frame.url().endsWith('/frame'))

test('search matches end at block elements and continue through inline elements', async () => {
  const template = `<script>window.heron = 'heron'</script><style>.heron { color: inherit } .row { display: flex }</style>
<p>A heron</p><i>Berlin</i><br><b>heron</b><br>Paris<ul><li>heron</li><li>heron</li></ul><table><tr><td>heron</td><td>Rome</td></tr></table><pre>heron</pre>
<div class="row"><span>heron</span><em>Oslo</em></div><p>Prague<u></u><s>heron</s><div></div></p>her<strong>on</strong>`
  const id = await seedRecords([{ fields: { text: 'x', card: { any: 'heron' } } }], {
    fields: [text, card(template)],
    questions,
  })
  const { page, done } = await open(id)
  await openAnnotation(page, id, '?search=heron~all')
  const wanted = ['p', 'b', 'li', 'li', 'td', 'pre', 'span'].map((name) => `${name}: heron`)
  await expect.poll(async () => frameOf(page) && foundWords(frameOf(page)!)).toEqual([...wanted, 'body: heron'])
  await done()
})

test('search in a formula matches the rendered letters, not the source', async () => {
  const source = 'A base $b^2 + \\beta$ and b.'
  const id = await seedRecords([{ fields: { text: source } }], { fields: [text], questions })
  const { page, done } = await open(id)
  await openAnnotation(page, id, '?search=b~all')
  await page.locator('math').waitFor()
  await expect.poll(() => foundWords(page)).toEqual(['mi: b', 'p: b'])
  expect(await page.locator('math').textContent()).toBe('b2+β')
  await openAnnotation(page, id, '?search=beta~all')
  await page.locator('math').waitFor()
  await expect.poll(() => foundWords(page)).toEqual([])
  await done()
})

describe('a record found by search scrolls to the first match', () => {
  const fields = [
    { ...text, name: 'id', settings: { type: 'text', use_markdown: false } },
    { ...text, required: false, settings: { type: 'text', use_markdown: false } },
    { ...text, name: 'notes', title: 'Notes', required: false },
  ]
  const long = Array.from({ length: 3000 }, (_, i) => `Line ${i + 1} of it${i % 1000 === 700 ? ', past a heron' : ''}.`)
  const chapters = long.map((line, i) => (i % 20 === 0 ? `## Chapter ${i}\n\n${line}` : `${line}\n`)).join('\n')
  const pane = (page: Page) => page.locator(RECORD)
  const top = (page: Page) => pane(page).evaluate((element) => element.scrollTop)

  /** The position of the first highlighted word, as a fraction of the visible height of the record. */
  const place = (page: Page): Promise<number> =>
    pane(page).evaluate((element) => {
      const { top: begin, height } = element.getBoundingClientRect()
      const tops = [...(CSS.highlights.get('postil-search') ?? [])].map((range) => (range as Range).getBoundingClientRect().top)
      return (Math.min(...tops) - begin) / height
    })
  const isSeen = async (page: Page): Promise<void> => {
    await expect.poll(() => place(page)).toBeGreaterThan(0.1)
    await expect.poll(() => place(page)).toBeLessThan(0.6)
    expect(await top(page)).toBeGreaterThan(5000)
  }
  const seed = async (values: object, asked: object = questions) =>
    seedRecords([{ fields: { id: 'a heron', ...values } }, { fields: { id: 'none' } }], { fields, questions: asked })

  test.each([
    ['a text', { text: long.join('\n') }, questions],
    ['a text with spans', { text: long.join('\n') }, { marks: spanQuestion() }],
    ['Markdown', { notes: chapters }, questions],
  ])('in %s, on desktop and phone', async (_, values, asked) => {
    const id = await seed(values, asked)
    for (const options of [{}, PHONE]) {
      const { page, done } = await open(id, options)
      await openAnnotation(page, id, `?search=heron~${'notes' in values ? 'notes' : 'text'}`)
      await isSeen(page)
      await done()
    }
  })

  test('but not after the user has scrolled, or when the match is already visible', async () => {
    const id = await seed({ text: long.join('\n') })
    const { page, done } = await open(id)
    await openAnnotation(page, id, '?search=heron~all')
    await expect.poll(() => foundWords(page)).toHaveLength(4)
    expect(await top(page)).toBe(0)

    const search = page.getByRole('textbox', { name: ui('features/annotate:toolbar.searchRecords') })
    await search.fill('past')
    await search.press('Enter')
    await isSeen(page)
    await pane(page).hover()
    await page.mouse.wheel(0, 2000)
    await expect.poll(() => place(page)).toBeLessThan(0)
    const read = await top(page)
    // Resizing must not scroll the record again.
    await page.setViewportSize({ width: 1200, height: 900 })
    await expect.poll(() => pane(page).evaluate(({ clientWidth }) => clientWidth)).toBeLessThan(800)
    expect(await top(page)).toBe(read)
    await done()
  })

  test('also when images above it load later', async () => {
    const holdImages = ['one', 'two'].map((name) => ({ name, title: name, required: false, settings: { type: 'image' } }))
    const urls = { one: 'https://pictures.example/1.png', two: 'https://pictures.example/2.png' }
    const id = await seedRecords([{ fields: { ...urls, text: 'A heron.' } }], { fields: [...holdImages, text], questions })
    const { page, done } = await open(id)
    const painted = Promise.withResolvers<void>()
    const body = Buffer.from(greyPng(900, 900).split(',')[1]!, 'base64')
    await page.route('https://pictures.example/**', async (route) => {
      await painted.promise
      await route.fulfill({ body, contentType: 'image/png' })
    })
    await openAnnotation(page, id, '?search=heron~all')
    await expect.poll(() => foundWords(page)).toEqual(['p: heron'])
    expect(await top(page)).toBe(0)
    painted.resolve()
    await expect.poll(() => top(page)).toBeGreaterThan(100)
    await expect.poll(() => place(page)).toBeLessThan(1)
    await done()
  })

  test.each([
    ['content that a template renders', card('<script>document.write(record.fields.card.any)</script>')],
    ['a text field that contains HTML', { ...text, name: 'card', settings: { type: 'text', use_markdown: false } }],
  ])('also in %s', async (_, field) => {
    const html = long
      .slice(400, 1000)
      .map((line) => `<p>${line}</p>`)
      .join('')
    const value = field.settings.type === 'custom' ? { any: html } : html
    const id = await seedRecords([{ fields: { text: 'x', card: value } }], { fields: [text, field], questions })
    const { page, done } = await open(id)
    await openAnnotation(page, id, '?search=heron~all')
    await expect.poll(() => top(page)).toBeGreaterThan(5000)
    const within = await page.locator('iframe').evaluate((frame) => frame.getBoundingClientRect().top)
    const at = await frameOf(page)!.evaluate(() => {
      const [first] = [...(CSS.highlights.get('postil-search') ?? [])]
      return (first as Range).getBoundingClientRect().top
    })
    expect(within + at).toBeGreaterThan(0)
    expect(within + at).toBeLessThan(page.viewportSize()!.height)
    await done()
  })

  test('also in a list, within the visible excerpt, and again after collapsing the full record', async () => {
    const id = await seed({ text: long.slice(0, 900).join('\n') })
    const { page, done } = await open(id)
    await openAnnotation(page, id, '?page=1~10&search=heron~text')
    const card = page.locator('li[data-record]')
    const isInView = (): Promise<boolean> =>
      card.evaluate((element) => {
        const [range] = [...(CSS.highlights.get('postil-search') ?? [])] as Range[]
        const { x = 0, y = 0, width = 0, height = 0 } = range?.getBoundingClientRect() ?? {}
        const { bottom } = element.getBoundingClientRect()
        const painted = document.elementFromPoint(x + width / 2, y + height / 2)
        return y < bottom && painted !== element && (painted?.contains(range?.startContainer ?? null) ?? false)
      })
    await expect.poll(isInView).toBe(true)
    await card.getByRole('button', { name: ui('features/annotate:bulk.more'), exact: true }).click()
    await card.getByText('Line 1 of it.').waitFor()
    await card.getByRole('button', { name: ui('features/annotate:bulk.less'), exact: true }).click()
    await expect.poll(isInView).toBe(true)
    await done()
  })
})
