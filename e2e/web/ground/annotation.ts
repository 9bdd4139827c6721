import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { RunningServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { type Asked, asOwner } from './given.ts'

type Json = { readonly [key: string]: unknown }

const option = (text: string) => ({ value: text.toLowerCase().replaceAll(' ', '-'), text })
const options = (...texts: readonly string[]) => texts.map(option)

export const TOPICS = Array.from({ length: 24 }, (_, index) => `Topic ${String(index + 1).padStart(2, '0')}`)

/** Every question type, as the SDK would make them. */
export const QUESTIONS = {
  tone: {
    title: 'Tone',
    description: 'The tone of the writing.',
    required: true,
    settings: { type: 'label_selection', options: options('Positive', 'Neutral', 'Negative') },
  },
  topics: {
    title: 'Topics',
    required: true,
    settings: { type: 'multi_label_selection', options: options(...TOPICS), visible_options: 6 },
  },
  quality: {
    title: 'Quality',
    required: true,
    settings: { type: 'rating', options: Array.from({ length: 11 }, (_, value) => ({ value })) },
  },
  replies: {
    title: 'Replies',
    required: false,
    settings: { type: 'ranking', options: options('Reply A', 'Reply B', 'Reply C') },
  },
  entities: {
    title: 'Entities',
    required: true,
    settings: { type: 'span', field: 'text', options: options('Person', 'Place'), allow_overlapping: false },
  },
  note: { title: 'Note', required: false, settings: { type: 'text', use_markdown: false } },
} as const
export type QuestionName = keyof typeof QUESTIONS

/** A question of spans, by its two labels. */
export const marksQuestion = ({ first = 'Alpha', ...more }: { first?: string; allow_overlapping?: boolean } = {}) => ({
  title: 'Marks',
  required: true,
  settings: {
    type: 'span',
    field: 'text',
    options: [
      { value: 'a', text: first },
      { value: 'b', text: 'Beta' },
    ],
    allow_overlapping: false,
    ...more,
  },
})

/** A label and a note: the least that has answers of two kinds. */
export const LABEL_AND_NOTE = {
  label: { title: 'Label', required: true, settings: { type: 'label_selection', options: options('Yes', 'No') } },
  note: { title: 'Note', required: false, settings: { type: 'text', use_markdown: false } },
}

/** With a joined emoji before the names, so that units and code points differ. */
export const TEXT = '👩‍👩‍👧 Ada Lovelace wrote to Charles Babbage.\r\nShe lived in London.'

export type GivenRecord = {
  readonly fields: Json
  readonly external_id?: string
  readonly metadata?: Json
  readonly vectors?: { readonly [name: string]: readonly number[] }
  /** Values by question name, or with agent and score. */
  readonly suggestions?: {
    readonly [question: string]: { readonly value: unknown; readonly score?: unknown; readonly agent?: string }
  }
}

export type GivenAnnotation = {
  readonly name: string
  readonly workspaceId: string
  readonly fields?: readonly Json[]
  readonly questions?: { readonly [name: string]: Json }
  readonly metadata?: readonly Json[]
  /** Titles and dimensions of vectors by name. */
  readonly vectors?: { readonly [name: string]: Json }
  readonly records: readonly GivenRecord[]
  readonly guidelines?: string
  readonly minSubmitted?: number
}

const textField = { name: 'text', title: 'Text', required: true, settings: { type: 'text', use_markdown: false } }

/** A published dataset with its records; by default one text field and a question of every type. */
export const givenAnnotation = async (server: Asked, given: GivenAnnotation): Promise<string> => {
  const { name, workspaceId, fields = [textField], questions = QUESTIONS, records, guidelines, minSubmitted = 1 } = given
  const { metadata = [], vectors = {} } = given
  const { id } = await asOwner(server, 'POST', '/datasets', {
    name,
    workspace_id: workspaceId,
    ...(guidelines && { guidelines }),
    distribution: { strategy: 'overlap', min_submitted: minSubmitted },
  })
  for (const field of fields) await asOwner(server, 'POST', `/datasets/${id}/fields`, field)
  const ids: { [name: string]: string } = {}
  for (const [question, body] of Object.entries(questions)) {
    ids[question] = (await asOwner(server, 'POST', `/datasets/${id}/questions`, { name: question, ...body })).id
  }
  for (const property of metadata) await asOwner(server, 'POST', `/datasets/${id}/metadata-properties`, property)
  for (const [vector, body] of Object.entries(vectors)) {
    await asOwner(server, 'POST', `/datasets/${id}/vectors-settings`, { name: vector, ...body })
  }
  await asOwner(server, 'PUT', `/datasets/${id}/publish`)
  const items = records.map(({ suggestions = {}, ...record }) => ({
    ...record,
    suggestions: Object.entries(suggestions).map(([question, suggestion]) => ({ question_id: ids[question], ...suggestion })),
  }))
  for (let start = 0; start < items.length; start += 500) {
    await asOwner(server, 'POST', `/datasets/${id}/records/bulk`, { items: items.slice(start, start + 500) })
  }
  return id
}

type Answer = { readonly id: string; readonly status: string; readonly values: Json; readonly version: number }
type Stored = {
  readonly id: string
  readonly external_id: string | null
  readonly fields: Json
  readonly responses: readonly Answer[]
}

/** Every record with its answers, as the server has them. */
export const stored = async (server: Asked, datasetId: string): Promise<readonly Stored[]> =>
  (await asOwner<{ items: Stored[] }>(server, 'GET', `/datasets/${datasetId}/records?include=responses&limit=1000`)).items

/** The answers of a dataset with one annotator: values by question and status, by record id. */
export const answers = async (
  server: RunningServer,
  datasetId: string,
): Promise<ReadonlyMap<string, { status: string; values: Json }>> =>
  new Map(
    (await stored(server, datasetId)).flatMap(({ id, responses: [answer] }) => {
      if (!answer) return []
      const values = Object.fromEntries(
        Object.entries(answer.values).map(([name, entry]) => [name, (entry as { value: unknown }).value]),
      )
      return [[id, { status: answer.status, values }] as const]
    }),
  )

/** Opens the annotation screen and waits until a record, or the end of the list, is there, and with it what takes the keys. */
export const openAnnotation = async (page: Page, datasetId: string, query = ''): Promise<void> => {
  await page.goto(`/dataset/${datasetId}/annotation-mode${query}`)
  await page.locator('[data-question], main h2').first().waitFor()
  // One record at a time puts the focus on its first question, once it listens to keys.
  if (/[?&]page=\d+~/.test(query) || (await page.locator('[data-question]').count()) === 0) return
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)
}

export const question = (page: Page, name: string) => page.locator(`[data-question="${name}"]`)
/** Selectors of the record on the screen and of the form with its questions. */
export const RECORD = `section[aria-label="${ui('features/annotate:record.name')}"]`
export const FORM = `form[aria-label="${ui('features/annotate:form.name')}"]`
export const records = (page: Page) => page.locator(RECORD)
export const recordText = (page: Page): Promise<string> => records(page).innerText()
const inDigits = (count: number): string => count.toLocaleString('en')
/** The toolbar's position in a list of one record at a time, and in one of pages. */
export const placeText = (position: number, total: number): string =>
  ui('features/annotate:pager.of', { position: inDigits(position), total: inDigits(total) })
export const rangeText = (first: number, last: number, total: number): string =>
  ui('features/annotate:pager.range', { first: inDigits(first), last: inDigits(last), total: inDigits(total) })
/** The caller's answers by status, as the progress shows them. */
export const progressText = (pending: number, draft: number, discarded: number, submitted: number): string =>
  Object.entries({ pending, draft, discarded, submitted })
    .map(([status, count]) => `${ui(`common:status.${status as 'pending'}`)} ${count}`)
    .join(' ')
/** Waits until the toolbar shows how many pending records are left, or a text. */
export const left = (page: Page, wanted: number | string | RegExp) =>
  (typeof wanted === 'number'
    ? page.locator('main').getByText(ui('features/annotate:pager.pending', { count: wanted }), { exact: true })
    : page.locator('main').getByText(wanted)
  )
    .first()
    .waitFor()

/** Where a piece of the record's text is at this moment. */
const placeNow = (page: Page, piece: string) =>
  page.evaluate((wanted) => {
    const nodes = [...document.querySelectorAll('[data-span-text] [data-at]')].flatMap(({ lastChild }) =>
      lastChild instanceof Text ? [lastChild] : [],
    )
    const at = nodes
      .map((node) => node.data)
      .join('')
      .indexOf(wanted)
    if (at < 0) throw new Error(`“${wanted}” is not in the text`)
    const point = (unit: number): readonly [Text, number] => {
      let before = 0
      for (const node of nodes) {
        if (unit <= before + node.length) return [node, unit - before]
        before += node.length
      }
      throw new Error('beyond the text')
    }
    const range = document.createRange()
    range.setStart(...point(at))
    range.setEnd(...point(at + wanted.length))
    const { left: x, top: y, width, height } = range.getBoundingClientRect()
    return { x, y, width, height }
  }, piece)

/**
 * Where a piece of the record's text is on the screen, whatever is marked in it, once the fonts are there and nothing moves any more.
 * The piece has to stand on one line.
 */
export const placeOf = async (page: Page, piece: string): ReturnType<typeof placeNow> => {
  await page.evaluate(() => document.fonts.ready)
  let place = await placeNow(page, piece)
  for (;;) {
    await page.waitForTimeout(50)
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    const now = await placeNow(page, piece)
    if (JSON.stringify(now) === JSON.stringify(place)) return now
    place = now
  }
}

/** Drags over a piece of the text, from just inside its first to just inside its last letter. */
export const dragOver = async (page: Page, piece: string, modifier?: 'Shift'): Promise<void> => {
  const { x, y, width, height } = await placeOf(page, piece)
  await page.mouse.move(x + 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 3 })
  await page.mouse.move(x + width - 2, y + height / 2, { steps: 3 })
  if (modifier) await page.keyboard.down(modifier)
  await page.mouse.up()
  if (modifier) await page.keyboard.up(modifier)
}

/** The spans on the screen as “label: text”, in order of place. */
export const spansShown = (page: Page): Promise<string[]> =>
  page.locator('[data-span-text] [data-chip]').evaluateAll((chips) =>
    chips.map((chip) => {
      const start = Number.parseInt(chip.getAttribute('data-chip') ?? '', 10)
      const text = document.querySelector(`[data-span-text] [data-at="${start}"]`)
      return `${chip.querySelector('bdi')?.textContent}: ${text?.textContent}`
    }),
  )
