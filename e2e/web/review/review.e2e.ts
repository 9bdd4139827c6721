import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations, openPage, PHONE } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()
const people = ['ann', 'ben'] as const
const labels = ['calm', 'neutral', 'angry']
let users: string[] = []
let reviewer = ''

type Gold = {
  readonly values: {
    readonly [question: string]: { readonly value: unknown; readonly source: string; readonly reason: string | null }
  }
  readonly final: boolean
  readonly stale: boolean
  readonly version: number
  readonly by: { readonly username: string }
}
type Listed = { readonly items: readonly { readonly id: string; readonly external_id: string }[] }
/** A dataset, and the IDs of its records, keyed by external ID. */
type Seeded = { readonly id: string; readonly records: ReadonlyMap<string, string> }

beforeAll(async () => {
  users = []
  for (const name of people) users.push(await seedUser(team.server, name, 'annotator', [team.workspaceId]))
  reviewer = await seedUser(team.server, 'rita', 'annotator', [team.workspaceId])
})

/** The label that a person chose for a record. */
const labelOf = (record: number, person: number): string => labels[(record + person) % 3] as string
/** The label that the reviewer decides on: the first person's for even records, the second person's for odd records. */
const rightLabel = (record: number): string => labelOf(record, record % 2)
const isRated = (record: number): boolean => record % 4 === 0
const rightRating = 2

/** Creates records to which the two people have given different labels. Every fourth record also has different ratings. */
const seed = async (name: string, count: number, mode: 'off' | 'disagreements' = 'disagreements'): Promise<Seeded> => {
  const { server, workspaceId } = team
  const { id } = await callAsOwner(server, 'POST', '/datasets', {
    name,
    workspace_id: workspaceId,
    distribution: { strategy: 'overlap', min_submitted: 2 },
  })
  const part = (route: string, part: string, title: string, required: boolean, settings: object) =>
    callAsOwner(server, 'POST', `/datasets/${id}/${route}`, { name: part, title, required, settings })
  await part('fields', 'text', 'Text', true, { type: 'text', use_markdown: false })
  const options = labels.map((value) => ({ value, text: value }))
  await part('questions', 'tone', 'Tone', true, { type: 'label_selection', options })
  await part('questions', 'quality', 'Quality', false, { type: 'rating', options: [1, 2, 3].map((value) => ({ value })) })
  await callAsOwner(server, 'PUT', `/datasets/${id}/publish`)
  const items = Array.from({ length: count }, (_, record) => ({
    external_id: `ticket-${record}`,
    fields: { text: `The parcel of order ${record} arrived late` },
    responses: users.map((user_id, person) => ({
      user_id,
      status: 'submitted',
      values: {
        tone: { value: labelOf(record, person) },
        ...(isRated(record) && { quality: { value: person + rightRating } }),
      },
    })),
  }))
  await callAsOwner(server, 'POST', `/datasets/${id}/records/bulk`, { items })
  await callAsOwner(server, 'PUT', `/datasets/${id}/review-settings`, { mode, reviewers: mode === 'off' ? [] : [reviewer] })
  const { items: stored } = await callAsOwner<Listed>(server, 'GET', `/datasets/${id}/records?limit=1000`)
  return { id, records: new Map(stored.map((record) => [record.external_id, record.id])) }
}
const recordOf = ({ records }: Seeded, record: number): string => records.get(`ticket-${record}`) ?? ''
const goldOf = async (dataset: Seeded, record: number): Promise<Gold | null> =>
  (await callAsOwner<{ gold: Gold | null }>(team.server, 'GET', `/records/${recordOf(dataset, record)}/comparison`)).gold
const putGold = (dataset: Seeded, record: number, value: string, base_version: number | null = null) =>
  callAsOwner(team.server, 'PUT', `/records/${recordOf(dataset, record)}/gold`, {
    mutation_id: crypto.randomUUID(),
    base_version,
    values: { tone: { value, source: 'adjudicated' } },
  })

const openAs = async (username: string | undefined, path: string, options = {}) => {
  const opened = await openPage(team.browser, team.server.url, options)
  await (username ? createSession(opened.page, team.server.url, username, PASSWORD) : createSession(opened.page, team.server.url))
  await opened.page.goto(path)
  return {
    page: opened.page,
    done: async () => {
      expect(opened.complaints()).toEqual([])
      await opened.close()
    },
  }
}
const reviewPath = ({ id }: Seeded, record?: string): string => `/dataset/${id}/review${record ? `?record=${record}` : ''}`
const question = (page: Page, title: string) => page.getByRole('radiogroup', { name: title })
const choices = (page: Page, title: string) => question(page, title).getByRole('radio')
/** The number key of an answer. */
const keyOf = async (page: Page, title: string, answer: string): Promise<string> => {
  const names = await choices(page, title).evaluateAll((all) =>
    all.map((one) =>
      (one.getAttribute('aria-labelledby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' '),
    ),
  )
  const index = names.findIndex((name) => name.startsWith(answer))
  if (index < 0) throw new Error(`${answer} is not among ${names.join(', ')}`)
  return String(index + 1)
}
const left = (count: number) => ui('features/review:left', { count, shown: String(count) })
const makeFinal = (page: Page) => page.getByRole('button', { name: ui('features/review:finish') })
/** Waits for a record other than the one with this number. @returns its number */
const shownRecord = async (page: Page, other = -1): Promise<number> => {
  const text = page.getByText(/^The parcel of order \d+ arrived late$/)
  const number = async () => Number(/\d+/.exec((await text.textContent()) ?? '')?.[0])
  await text.waitFor()
  await expect.poll(number).not.toBe(other)
  return number()
}

test('a reviewer settles 40 disagreements with at most 2.5 keys for each', async () => {
  const count = 40
  const dataset = await seed('forty', count)
  const { page, done } = await openAs('rita', `/dataset/${dataset.id}/annotation-mode`)
  await page
    .getByRole('navigation', { name: ui('common:dataset.tabs') })
    .getByRole('link', { name: ui('common:dataset.review') })
    .click()
  await page.getByText(left(count), { exact: true }).waitFor()
  let keys = 0
  let conflicts = 0
  const press = async (key: string): Promise<void> => {
    keys += 1
    await page.keyboard.press(key)
  }
  for (let record = await shownRecord(page), settled = 1; ; settled += 1) {
    conflicts += isRated(record) ? 2 : 1
    await press(await keyOf(page, 'Tone', rightLabel(record)))
    if (isRated(record)) await press(await keyOf(page, 'Quality', String(rightRating)))
    if (settled === 1) expect(await findViolations(page)).toEqual([])
    await press('Enter')
    if (settled === count) break
    record = await shownRecord(page, record)
  }
  expect(keys / conflicts).toBeLessThanOrEqual(2.5)
  await page.getByRole('heading', { name: ui('features/review:empty.title') }).waitFor()
  await page.getByText(left(0), { exact: true }).waitFor()
  for (let record = 0; record < count; record += 1) {
    await expect.poll(async () => (await goldOf(dataset, record))?.final).toBe(true)
    const gold = await goldOf(dataset, record)
    expect(gold).toMatchObject({ by: { username: 'rita' }, version: 1, stale: false })
    expect(gold?.values).toMatchObject({
      tone: { value: rightLabel(record), source: 'adjudicated' },
      ...(isRated(record) && { quality: { value: rightRating, source: 'adjudicated' } }),
    })
    expect(Object.keys(gold?.values ?? {})).toHaveLength(isRated(record) ? 2 : 1)
  }
  await done()
})

detail('a decision can have a reason and another value, and can be changed later', async () => {
  const dataset = await seed('reasons', 3)
  const { page, done } = await openAs('rita', reviewPath(dataset, recordOf(dataset, 1)))
  expect(await shownRecord(page)).toBe(1)
  await choices(page, 'Tone').first().waitFor()
  await page.keyboard.press('?')
  const shortcuts = page.getByRole('dialog', { name: ui('features/review:shortcuts.title') })
  for (const text of ['shortcuts.majority', 'shortcuts.return', 'reason.guideline_gap', 'shortcuts.finish'] as const)
    await shortcuts.getByText(ui(`features/review:${text}`), { exact: true }).waitFor()
  expect(await findViolations(page)).toEqual([])
  // The keys have no effect while the list is open.
  await page.keyboard.press('g')
  await page.keyboard.press('Escape')
  await shortcuts.waitFor({ state: 'hidden' })
  await page.keyboard.press('m')
  await page.getByText(ui('features/review:tie')).first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByText(ui('features/review:missing'), { exact: true }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('e')
  const third = labels.find((label) => ![labelOf(1, 0), labelOf(1, 1)].includes(label)) as string
  await page.getByRole('radio', { name: third }).click()
  await question(page, 'Tone').getByText(ui('features/review:own')).waitFor()
  await page.keyboard.press('Enter')
  const next = await shownRecord(page, 1)
  await expect
    .poll(() => goldOf(dataset, 1))
    .toMatchObject({
      values: { tone: { value: third, source: 'adjudicated', reason: 'guideline_gap' } },
      version: 1,
    })
  await page.keyboard.press('Backspace')
  expect(await shownRecord(page, next)).toBe(1)
  await question(page, 'Tone').getByText(ui('features/review:gold'), { exact: true }).waitFor()
  await page.keyboard.press(await keyOf(page, 'Tone', labelOf(1, 0)))
  await page.keyboard.press('Enter')
  expect(await shownRecord(page, 1)).toBe(next)
  await expect.poll(() => goldOf(dataset, 1)).toMatchObject({ values: { tone: { value: labelOf(1, 0) } }, version: 2 })
  // The browser's own Back also returns to the record.
  await page.goBack()
  expect(await shownRecord(page, next)).toBe(1)
  await done()
})

detail('a reviewer whose decision comes second sees who was first, and can replace it', async () => {
  const dataset = await seed('conflict', 3)
  const { page, done } = await openAs('rita', reviewPath(dataset, recordOf(dataset, 2)))
  expect(await shownRecord(page)).toBe(2)
  await choices(page, 'Tone').first().waitFor()
  await putGold(dataset, 2, labelOf(2, 0))
  await page.keyboard.press(await keyOf(page, 'Tone', labelOf(2, 1)))
  await page.keyboard.press('Enter')
  await shownRecord(page, 2)
  await page.getByText(ui('features/review:unsent.conflict', { title: 'ticket-2', name: 'owner' })).waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await goldOf(dataset, 2)).toMatchObject({ values: { tone: { value: labelOf(2, 0) } }, version: 1 })
  await page.getByRole('button', { name: ui('features/review:unsent.show', { title: 'ticket-2' }) }).click()
  await page.getByRole('button', { name: ui('features/review:conflict.keepTheirs') }).waitFor()
  await page.getByRole('button', { name: ui('features/review:conflict.replace') }).click()
  await expect
    .poll(() => goldOf(dataset, 2))
    .toMatchObject({
      values: { tone: { value: labelOf(2, 1) } },
      by: { username: 'rita' },
      version: 2,
    })
  await done()
})

detail('decisions are kept while the server is unreachable, and stored once afterwards', async () => {
  const dataset = await seed('unreachable', 4)
  const { page, done } = await openAs('rita', reviewPath(dataset))
  const first = await shownRecord(page)
  await choices(page, 'Tone').first().waitFor()
  await page.waitForLoadState('networkidle')
  const bodies: string[] = []
  let isUp = false
  await page.route('**/gold', async (route) => {
    bodies.push(route.request().postData() ?? '')
    if (isUp) return route.continue()
    // The request arrives, but its response doesn't.
    if (bodies.length === 1) await route.fetch()
    return route.abort()
  })
  await page.keyboard.press(await keyOf(page, 'Tone', rightLabel(first)))
  if (isRated(first)) await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await shownRecord(page, first)
  await page.getByText(ui('features/review:unsent.waiting', { count: 1, shown: '1' })).waitFor()
  await page
    .getByRole('navigation', { name: ui('common:dataset.tabs') })
    .getByRole('link', { name: ui('common:dataset.annotate') })
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: ui('features/review:leave.stay') })
    .click()
  const before = bodies.length
  await page.getByRole('button', { name: ui('features/review:unsent.retry') }).click()
  await expect.poll(() => bodies.length).toBeGreaterThan(before)
  isUp = true
  await expect.poll(() => page.getByText(ui('features/review:unsent.waiting', { count: 1, shown: '1' })).count()).toBe(0)
  expect(new Set(bodies.map((body) => JSON.parse(body).mutation_id)).size).toBe(1)
  expect(await goldOf(dataset, first)).toMatchObject({ values: { tone: { value: rightLabel(first) } }, version: 1 })
  await done()
})

detail('a final answer is out of date after an answer changes, until it is confirmed', async () => {
  const dataset = await seed('stale', 1)
  await putGold(dataset, 0, labelOf(0, 0))
  const ann = await openAs('ann', '/')
  const { items } = await callAsOwner<{ items: readonly { responses: readonly { id: string; user_id: string }[] }[] }>(
    team.server,
    'GET',
    `/datasets/${dataset.id}/records?include=responses`,
  )
  const response = items[0]?.responses.find(({ user_id }) => user_id === users[0])
  const changed = labels.find((label) => ![labelOf(0, 0), labelOf(0, 1)].includes(label)) as string
  const answer = await ann.page.request.put(`${team.server.url}/api/v1/responses/${response?.id}`, {
    data: { status: 'submitted', values: { tone: { value: changed } } },
    headers: { 'x-postil-csrf': '1', origin: new URL(team.server.url).origin },
  })
  expect(answer.status()).toBe(200)
  await ann.done()
  const { page, done } = await openAs(undefined, `/dataset/${dataset.id}/records?review=stale&record=${recordOf(dataset, 0)}`)
  const panel = page.getByRole('region', { name: ui('features/records:panel.title') })
  await panel.getByText(ui('features/records:panel.stale'), { exact: true }).waitFor()
  await panel.getByText(ui('features/review:source.adjudicated')).waitFor()
  expect(await findViolations(page)).toEqual([])
  await panel.getByRole('link', { name: ui('features/records:panel.review') }).click()
  await page.getByText(ui('features/review:stale')).waitFor()
  await question(page, 'Tone').getByText(ui('features/review:formerGold')).waitFor()
  // The rating was never decided.
  await page.keyboard.press('j')
  await page.keyboard.press('0')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => goldOf(dataset, 0))
    .toMatchObject({
      values: { tone: { value: labelOf(0, 0), source: 'adjudicated' } },
      stale: false,
      version: 2,
    })
  await done()
})

test('a lead turns the review on, chooses a reviewer, and publishes final answers', async () => {
  const publisher = await seedUser(team.server, 'gold', 'annotator')
  await callAsOwner(team.server, 'PATCH', `/users/${publisher}`, { active: false })
  const dataset = await seed('off', 2, 'off')
  const lead = await openAs(undefined, reviewPath(dataset))
  await lead.page.getByRole('button', { name: ui('features/review:off.turnOn') }).click()
  await lead.page.getByText(left(2), { exact: true }).waitFor()
  await lead.page.goto(`/dataset/${dataset.id}/settings?tab=review`)
  await lead.page.getByRole('checkbox', { name: 'rita' }).check()
  await lead.page.getByLabel(ui('features/settings:review.publishAs')).fill('gold')
  await lead.page.getByRole('switch', { name: ui('features/settings:review.autoMajority') }).click()
  await lead.page.getByLabel(ui('features/settings:review.autoShare')).fill('60')
  await lead.page.getByRole('button', { name: ui('features/settings:update') }).click()
  await expect
    .poll(() => callAsOwner<{ reviewers: object[] }>(team.server, 'GET', `/datasets/${dataset.id}/review-settings`))
    .toMatchObject({
      mode: 'disagreements',
      reviewers: [{ username: 'rita' }],
      publish_gold_as: 'gold',
      auto: { unanimous: false, majority: { min: 2, share: 0.6 } },
    })
  expect(await findViolations(lead.page)).toEqual([])
  await lead.done()
  const rita = await openAs('rita', reviewPath(dataset))
  await rita.page.getByText(left(2), { exact: true }).waitFor()
  await rita.done()
  const ben = await openAs('ben', reviewPath(dataset))
  await ben.page.getByRole('heading', { name: ui('features/review:denied') }).waitFor()
  await ben.done()
})

detail('on a phone, the questions are below the record and can be decided by touch', async () => {
  const dataset = await seed('phone', 2)
  const { page, done } = await openAs('rita', reviewPath(dataset), PHONE)
  const record = await shownRecord(page)
  await choices(page, 'Tone').first().waitFor()
  expect(await findViolations(page)).toEqual([])
  const isTooWide = () => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  expect(await isTooWide()).toBe(false)
  const rows = await question(page, 'Tone')
    .locator('> div')
    .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
  expect(rows.every((height) => height >= 28)).toBe(true)
  const text = await page.getByText(/^The parcel of order/).boundingBox()
  const first = await question(page, 'Tone').boundingBox()
  expect((text?.y ?? 0) + (text?.height ?? 0)).toBeLessThan(first?.y ?? 0)
  for (const title of isRated(record) ? ['Tone', 'Quality'] : ['Tone']) await question(page, title).locator('> div').first().tap()
  await makeFinal(page).tap()
  await shownRecord(page, record)
  await expect.poll(async () => (await goldOf(dataset, record))?.final).toBe(true)
  await done()
})
