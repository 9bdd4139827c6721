import { scaled } from '@postil/testkit/run-size.ts'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { sdk } from '../../main-job/sdk.ts'
import { openAnnotation, seedAnnotationDataset, storedRecords } from '../fixtures/annotation.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { type PaintedSpan, paintedSpans } from '../support/painted-spans.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()

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

/** Pieces of text whose counts of UTF-16 units, code points, characters and lines differ. */
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

/**
 * Returns the spans between the first and second cut, the third and fourth cut, and so on. A cut can be in the middle of what
 * readers see as one character.
 */
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
  await expect.poll(async () => (await paintedSpans(page)).text).not.toBe(text)
}

/** Returns what is rendered once it stops changing. */
const atRest = async (page: Page): Promise<PaintedSpan> => {
  let last = await paintedSpans(page)
  for (;;) {
    await page.waitForTimeout(50)
    const now = await paintedSpans(page)
    if (JSON.stringify(now) === JSON.stringify(last)) return now
    last = now
  }
}

const markByKeys = async (page: Page, { right, select }: Case): Promise<void> => {
  // A new record focuses its question.
  await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-question'))).toBe(true)
  await page.locator('[data-span-text]').focus()
  await page.keyboard.press('Control+Home')
  for (let i = 0; i < right; i += 1) await page.keyboard.press('ArrowRight')
  for (let i = 0; i < select; i += 1) await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('2')
  await page.keyboard.press('Escape')
}

let datasets = 0

/**
 * Creates a dataset with these texts and answers its records in the page. Compares what is rendered with what is stored and with
 * what Python reads.
 */
const agree = async (cases: readonly Case[]): Promise<void> => {
  const texts = cases.map(({ text }, i) => `${i}: ${text}.`)
  const name = `offsets ${++datasets}`
  const id = await seedAnnotationDataset(team.server, {
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
  await createSession(opened.page, team.server.url)
  await openAnnotation(opened.page, id)
  const seen: { [externalId: string]: unknown } = {}
  for (let i = 0; i < cases.length; i += 1) {
    await opened.page.locator('[data-span-text] [data-at]').first().waitFor()
    const before = await atRest(opened.page)
    const at = Number.parseInt(before.text, 10)
    // The screen shows the text and the spans that were sent.
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
    .poll(async () => (await storedRecords(team.server, id)).filter(({ responses }) => responses.length > 0).length)
    .toBe(cases.length)
  const kept = (await storedRecords(team.server, id)).map(({ external_id, fields, responses: [answer] }) => {
    const { value } = answer!.values['marks'] as { value: { label: string; start: number; end: number }[] }
    return [external_id, named(String(fields['text']), value)]
  })
  expect(Object.fromEntries(kept)).toEqual(seen)
  const read = await sdk<{ [externalId: string]: [string, string][] }>(
    team.server,
    'read_spans.py',
    team.workspaceName,
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

test('painted spans, stored code point offsets and Python offsets are the same', async () => {
  await fc.assert(fc.asyncProperty(fc.array(oneCase, { minLength: 10, maxLength: 10 }), agree), {
    numRuns: scaled(2, 20),
    // Shrinking a failing case is too slow, because each step takes a browser through ten records.
    endOnFailure: true,
  })
})
