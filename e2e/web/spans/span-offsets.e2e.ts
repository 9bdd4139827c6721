import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { sdk } from '../../main-job/sdk.ts'
import { givenAnnotation, openAnnotation, stored } from '../ground/annotation.ts'
import { setUpTeam } from '../ground/team.ts'
import { type Painted, painted } from '../support/painted.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()

const LABELS = ['Alpha', 'Beta'] as const
const question = {
  title: 'Marks',
  required: true,
  settings: {
    type: 'span',
    field: 'text',
    options: LABELS.map((text) => ({ value: text.toLowerCase(), text })),
    allow_overlapping: false,
  },
}

/** What units, code points, characters and lines are told apart by. */
const piece = fc.constantFrom(
  'word ',
  'a',
  ' ',
  '42',
  '👩‍👩‍👧',
  '🇩🇪🇫🇷',
  '👍🏽',
  '𝒳',
  'e\u0301',
  '\u200d',
  'שלום ',
  'مرحبا',
  '日本語',
  'ภาษาไทย',
  '\r\n',
  '\n',
  '\r',
  '\t',
  '\u2028',
  '"<b>&amp;',
)

type Case = { readonly text: string; readonly cuts: readonly number[]; readonly right: number; readonly select: number }

const oneCase: fc.Arbitrary<Case> = fc.record({
  text: fc.array(piece, { minLength: 2, maxLength: 25 }).map((parts) => parts.join('')),
  cuts: fc.array(fc.nat(60), { maxLength: 6 }),
  right: fc.nat(12),
  select: fc.integer({ min: 1, max: 5 }),
})

/** Each two of the cuts bound a span, also where that is in the middle of what is one character to a reader. */
const suggestedSpans = (text: string, cuts: readonly number[]) => {
  const places = [...new Set(cuts.filter((cut) => cut <= [...text].length))].sort((a, b) => a - b)
  return places.flatMap((start, i) => {
    const end = places[i + 1]
    return i % 2 === 0 && end !== undefined ? [{ label: LABELS[(i / 2) % 2]!.toLowerCase(), start, end }] : []
  })
}

const cut = (text: string, start: number, end: number): string => [...text].slice(start, end).join('')
const named = (text: string, spans: readonly { label: string; start: number; end: number }[]) =>
  spans.map(({ label, start, end }) => [LABELS.find((one) => one.toLowerCase() === label), cut(text, start, end)])

const submit = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
  await expect.poll(async () => (await painted(page)).text).not.toBe(text)
}

/** What is painted, once it stays as it is. */
const atRest = async (page: Page): Promise<Painted> => {
  let last = await painted(page)
  for (;;) {
    await page.waitForTimeout(50)
    const now = await painted(page)
    if (JSON.stringify(now) === JSON.stringify(last)) return now
    last = now
  }
}

/** Marks something by keys from the start of the text: a few steps to the right, then a few with Shift. */
const markByKeys = async (page: Page, { right, select }: Case): Promise<void> => {
  // A record that comes puts the focus on its question.
  await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-question'))).toBe(true)
  await page.locator('[data-span-text]').focus()
  await page.keyboard.press('Control+Home')
  for (let i = 0; i < right; i += 1) await page.keyboard.press('ArrowRight')
  for (let i = 0; i < select; i += 1) await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('2')
  await page.keyboard.press('Escape')
}

let datasets = 0

/** Answers a dataset of these texts in the page and compares what was painted with what is stored and what Python reads. */
const agree = async (cases: readonly Case[]): Promise<void> => {
  const texts = cases.map(({ text }, i) => `${i}: ${text}.`)
  const name = `offsets ${++datasets}`
  const id = await givenAnnotation(team.server, {
    name,
    workspaceId: team.workspaceId,
    questions: { marks: question },
    records: texts.map((text, i) => ({
      external_id: String(i),
      fields: { text },
      suggestions: { marks: { value: suggestedSpans(text, cases[i]!.cuts) } },
    })),
  })
  const opened = await openPage(team.browser, team.server.url)
  await haveSession(opened.page, team.server.url)
  await openAnnotation(opened.page, id)
  const seen: { [externalId: string]: unknown } = {}
  for (let i = 0; i < cases.length; i += 1) {
    await opened.page.locator('[data-span-text] [data-at]').first().waitFor()
    const before = await atRest(opened.page)
    const at = Number.parseInt(before.text, 10)
    // The text on the screen is the text that was sent, and so are the spans in it.
    expect(before.text).toBe(texts[at])
    expect(before.spans).toEqual(named(before.text, suggestedSpans(before.text, cases[at]!.cuts)))
    await markByKeys(opened.page, cases[at]!)
    const after = await atRest(opened.page)
    expect(after.text).toBe(texts[at])
    seen[at] = after.spans
    if (i < cases.length - 1) await submit(opened.page, after.text)
    else await opened.page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
  }
  await expect
    .poll(async () => (await stored(team.server, id)).filter(({ responses }) => responses.length > 0).length)
    .toBe(cases.length)
  const kept = (await stored(team.server, id)).map(({ external_id, fields, responses: [answer] }) => {
    const { value } = answer!.values['marks'] as { value: { label: string; start: number; end: number }[] }
    return [external_id, named(String(fields['text']), value)]
  })
  expect(Object.fromEntries(kept)).toEqual(seen)
  const read = await sdk<{ [externalId: string]: [string, string][] }>(
    team.server,
    'read_spans.py',
    'team',
    name,
    'text',
    'marks',
  )
  const inPython = Object.entries(read).map(([key, spans]) => [
    key,
    spans.map(([label, text]) => [LABELS.find((one) => one.toLowerCase() === label), text]),
  ])
  expect(Object.fromEntries(inPython)).toEqual(seen)
  expect(opened.complaints()).toEqual([])
  await opened.close()
}

test('what is painted, what is stored in code points and what Python reads are the same', async () => {
  await fc.assert(fc.asyncProperty(fc.array(oneCase, { minLength: 10, maxLength: 10 }), agree), {
    numRuns: 3,
    // A shrunk case would be shorter, but each takes a browser through ten records.
    endOnFailure: true,
  })
})
