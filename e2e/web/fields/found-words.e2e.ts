import type { Frame, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openAnnotation } from '../support/annotation.ts'
import { answering } from '../support/answering.ts'
import { setUpTeam } from '../support/team.ts'

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
