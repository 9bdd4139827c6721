import type { Frame, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { PHONE } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { marksQuestion, openAnnotation, RECORD } from '../ground/annotation.ts'
import { answering } from '../ground/answering.ts'
import { setUpTeam } from '../ground/team.ts'
import { greyPng } from '../support/png.ts'

const { givenRecords, open } = answering(setUpTeam())

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

/** Where what is painted as found begins, by the element around it. */
const found = (where: Page | Frame): Promise<string[]> =>
  where.evaluate(() =>
    [...(CSS.highlights.get('postil-search') ?? [])].map((range) => {
      const { startContainer } = range as Range
      return `${startContainer.parentElement?.localName}: ${range}`
    }),
  )
const frameOf = (page: Page): Frame | undefined => page.frames().find((frame) => frame.url().endsWith('/frame'))

test('words end where an element that is no part of a line does, and go on through those that are', async () => {
  const template = `<script>window.heron = 'heron'</script><style>.heron { color: inherit } .row { display: flex }</style>
<p>A heron</p><i>Berlin</i><br><b>heron</b><br>Paris<ul><li>heron</li><li>heron</li></ul><table><tr><td>heron</td><td>Rome</td></tr></table><pre>heron</pre>
<div class="row"><span>heron</span><em>Oslo</em></div><p>Prague<u></u><s>heron</s><div></div></p>her<strong>on</strong>`
  const id = await givenRecords([{ fields: { text: 'x', card: { any: 'heron' } } }], {
    fields: [text, card(template)],
    questions,
  })
  const { page, done } = await open(id)
  await openAnnotation(page, id, '?search=heron~all')
  const wanted = ['p', 'b', 'li', 'li', 'td', 'pre', 'span'].map((name) => `${name}: heron`)
  await expect.poll(async () => frameOf(page) && found(frameOf(page)!)).toEqual([...wanted, 'body: heron'])
  await done()
})

test('in a formula its letters are found, and not the source that it was made of', async () => {
  const source = 'A base $b^2 + \\beta$ and b.'
  const id = await givenRecords([{ fields: { text: source } }], { fields: [text], questions })
  const { page, done } = await open(id)
  await openAnnotation(page, id, '?search=b~all')
  await page.locator('math').waitFor()
  await expect.poll(() => found(page)).toEqual(['mi: b', 'p: b'])
  expect(await page.locator('math').textContent()).toBe('b2+β')
  await openAnnotation(page, id, '?search=beta~all')
  await page.locator('math').waitFor()
  await expect.poll(() => found(page)).toEqual([])
  await done()
})

describe('a record that a search has found is shown where the first of its words is', () => {
  const fields = [
    { ...text, name: 'id', settings: { type: 'text', use_markdown: false } },
    { ...text, required: false, settings: { type: 'text', use_markdown: false } },
    { ...text, name: 'notes', title: 'Notes', required: false },
  ]
  const long = Array.from({ length: 3000 }, (_, i) => `Line ${i + 1} of it${i % 1000 === 700 ? ', past a heron' : ''}.`)
  const chapters = long.map((line, i) => (i % 20 === 0 ? `## Chapter ${i}\n\n${line}` : `${line}\n`)).join('\n')
  const pane = (page: Page) => page.locator(RECORD)
  const top = (page: Page) => pane(page).evaluate((element) => element.scrollTop)

  /** Where the first of the painted words is, as a part of what is seen of the record. */
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
  const given = async (values: object, asked: object = questions) =>
    givenRecords([{ fields: { id: 'a heron', ...values } }, { fields: { id: 'none' } }], { fields, questions: asked })

  test.each([
    ['a text', { text: long.join('\n') }, questions],
    ['a text with spans', { text: long.join('\n') }, { marks: marksQuestion() }],
    ['Markdown', { notes: chapters }, questions],
  ])('in %s, on a desk and on a phone', async (_, values, asked) => {
    const id = await given(values, asked)
    for (const options of [{}, PHONE]) {
      const { page, done } = await open(id, options)
      await openAnnotation(page, id, `?search=heron~${'notes' in values ? 'notes' : 'text'}`)
      await isSeen(page)
      await done()
    }
  })

  test('and not once somebody reads it, nor without need', async () => {
    const id = await given({ text: long.join('\n') })
    const { page, done } = await open(id)
    await openAnnotation(page, id, '?search=heron~all')
    await expect.poll(() => found(page)).toHaveLength(4)
    expect(await top(page)).toBe(0)

    const search = page.getByRole('textbox', { name: ui('features/annotate:toolbar.searchRecords') })
    await search.fill('past')
    await search.press('Enter')
    await isSeen(page)
    await pane(page).hover()
    await page.mouse.wheel(0, 2000)
    await expect.poll(() => place(page)).toBeLessThan(0)
    const read = await top(page)
    // Whatever changes around it then.
    await page.setViewportSize({ width: 1200, height: 900 })
    await expect.poll(() => pane(page).evaluate(({ clientWidth }) => clientWidth)).toBeLessThan(800)
    expect(await top(page)).toBe(read)
    await done()
  })

  test('also when pictures above it arrive later', async () => {
    const pictures = ['one', 'two'].map((name) => ({ name, title: name, required: false, settings: { type: 'image' } }))
    const urls = { one: 'https://pictures.example/1.png', two: 'https://pictures.example/2.png' }
    const id = await givenRecords([{ fields: { ...urls, text: 'A heron.' } }], { fields: [...pictures, text], questions })
    const { page, done } = await open(id)
    const painted = Promise.withResolvers<void>()
    const body = Buffer.from(greyPng(900, 900).split(',')[1]!, 'base64')
    await page.route('https://pictures.example/**', async (route) => {
      await painted.promise
      await route.fulfill({ body, contentType: 'image/png' })
    })
    await openAnnotation(page, id, '?search=heron~all')
    await expect.poll(() => found(page)).toEqual(['p: heron'])
    expect(await top(page)).toBe(0)
    painted.resolve()
    await expect.poll(() => top(page)).toBeGreaterThan(100)
    await expect.poll(() => place(page)).toBeLessThan(1)
    await done()
  })

  test.each([
    ['what a template draws', card('<script>document.write(record.fields.card.any)</script>')],
    ['a text that is HTML', { ...text, name: 'card', settings: { type: 'text', use_markdown: false } }],
  ])('also in %s', async (_, field) => {
    const html = long
      .slice(400, 1000)
      .map((line) => `<p>${line}</p>`)
      .join('')
    const value = field.settings.type === 'custom' ? { any: html } : html
    const id = await givenRecords([{ fields: { text: 'x', card: value } }], { fields: [text, field], questions })
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

  test('also of a list, in what is cut of it, again once it was shown in full', async () => {
    const id = await given({ text: long.slice(0, 900).join('\n') })
    const { page, done } = await open(id)
    await openAnnotation(page, id, '?page=1~10&search=heron~text')
    const card = page.locator('li[data-record]')
    const isUnderEyes = (): Promise<boolean> =>
      card.evaluate((element) => {
        const [range] = [...(CSS.highlights.get('postil-search') ?? [])] as Range[]
        const { x = 0, y = 0, width = 0, height = 0 } = range?.getBoundingClientRect() ?? {}
        const { bottom } = element.getBoundingClientRect()
        const painted = document.elementFromPoint(x + width / 2, y + height / 2)
        return y < bottom && painted !== element && (painted?.contains(range?.startContainer ?? null) ?? false)
      })
    await expect.poll(isUnderEyes).toBe(true)
    await card.getByRole('button', { name: ui('features/annotate:bulk.more'), exact: true }).click()
    await card.getByText('Line 1 of it.').waitFor()
    await card.getByRole('button', { name: ui('features/annotate:bulk.less'), exact: true }).click()
    await expect.poll(isUnderEyes).toBe(true)
    await done()
  })
})
