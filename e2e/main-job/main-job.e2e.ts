import { scaled } from '@postil/testkit/run-size.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenPage } from '../harness/browser.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { type RunningServer, startServer } from '../harness/server.ts'
import { ui } from '../harness/ui-text.ts'
import { carefulStrategy, disagreeingStrategy } from './answers.ts'
import { byKeyboard } from './by-keyboard.ts'
import { byMouse } from './by-mouse.ts'
import type { JobRecord } from './data.ts'
import { jobData, writePlan } from './data.ts'
import type { Value, WireAnswer } from './expected.ts'
import { completed, inOrder, progress, toWireAnswer, valuesOf } from './expected.ts'
import { screenOf } from './screen.ts'
import { takeScreenshots } from './screenshots.ts'
import { sdk } from './sdk.ts'
import type { Job, Labels, Worker } from './work.ts'
import { work } from './work.ts'

const RECORDS = scaled(500, 2000)
/** Number of answers that each annotator submits, including the answers to the records that a search finds. */
const SUBMITS = scaled(4, 30)
const FOUND = scaled(2, 10)

const PLAN = {
  workspace: 'debian',
  dataset: 'packages',
  users: [
    { username: 'kim', password: 'keys and nothing else' },
    { username: 'mo', password: 'a mouse and its wheel' },
  ],
  min_submitted: 2,
} as const

type ReadBack = {
  readonly records: readonly (Omit<JobRecord, 'answer'> & { readonly status: string })[]
  readonly answers: readonly Value[]
  readonly on_the_wire: readonly WireAnswer[]
  readonly progress: object
}

let server: RunningServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const labelsOf = ({ questions }: Awaited<ReturnType<typeof jobData>>['settings']): Labels => {
  const of = (name: string): readonly string[] => {
    const { options = [] } = (questions.find((one) => one.name === name)?.settings ?? {}) as { options?: { value: string }[] }
    return options.map(({ value }) => value)
  }
  return { section: of('section'), tags: of('tags'), mentions: of('mentions'), candidates: of('candidates') }
}

/**
 * Returns a word that occurs in exactly `count` records. Occurrences inside longer words count too, so the number doesn't depend
 * on how texts are divided into words.
 */
const wordIn = (records: readonly JobRecord[], count: number): string => {
  const texts = records.map(({ fields }) => `${fields.name} ${fields.description}`.toLowerCase())
  const counts = new Map<string, number>()
  for (const text of texts) for (const word of new Set(text.match(/[a-z]{5,}/g))) counts.set(word, (counts.get(word) ?? 0) + 1)
  const isWhole = (word: string) =>
    texts.filter((text) => new RegExp(`(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`, 'u').test(text))
  const found = [...counts].find(
    ([word, n]) => n === count && isWhole(word).length === count && texts.filter((text) => text.includes(word)).length === count,
  )
  if (!found) throw new Error(`No word is in exactly ${count} records`)
  return found[0]
}

/** Returns a function that counts the page's answers that the server has stored so far. */
const countSaved = ({ page }: OpenPage): (() => number) => {
  let saved = 0
  page.on('response', (response) => {
    if (response.ok() && /\/responses\/mine$/.test(new URL(response.url()).pathname)) saved += 1
  })
  return () => saved
}

const showsMyProgress = async ({ page }: OpenPage, counts: readonly string[]): Promise<void> => {
  const panel = page.getByRole('region', { name: ui('features/annotate:progress.name') })
  await expect.poll(() => panel.locator('dd').allTextContents()).toEqual(counts)
}

test('two people annotate real records that the SDK logged, and the SDK reads back exactly their answers', async () => {
  const data = await jobData(RECORDS)
  const { dataset_id } = await sdk<{ dataset_id: string }>(server, 'create.py', writePlan(server.place.dataDir, PLAN, data))
  const job: Job = {
    dataset: PLAN.dataset,
    records: new Map(data.records.map((record) => [record.fields.name, record])),
    labels: labelsOf(data.settings),
    search: { text: wordIn(data.records, FOUND), found: FOUND },
    submits: SUBMITS,
  }
  const [kim, mo] = PLAN.users
  const [first, second] = await Promise.all([openPage(browser, server.url), openPage(browser, server.url)])
  const saved = [countSaved(first), countSaved(second)]
  await Promise.all([first.page.goto('/'), second.page.goto('/')])
  const workers: readonly Worker[] = [
    {
      annotator: kim,
      strategy: carefulStrategy,
      screen: screenOf(first.page),
      input: byKeyboard(first.page.keyboard, screenOf(first.page)),
    },
    {
      annotator: mo,
      strategy: disagreeingStrategy,
      screen: screenOf(second.page),
      input: byMouse(second.page, screenOf(second.page)),
    },
  ]
  const givenAnswers = await Promise.all(workers.map((worker) => work(worker, job)))
  const mine = [String(RECORDS - SUBMITS - 2), '1', '1', String(SUBMITS)].map((count) => Number(count).toLocaleString('en'))
  await Promise.all([showsMyProgress(first, mine), showsMyProgress(second, mine)])
  await expect.poll(() => saved.map((count) => count())).toEqual([SUBMITS + 2, SUBMITS + 2])
  const end = Date.now()
  expect([...first.complaints(), ...second.complaints()]).toEqual([])

  const back = await sdk<ReadBack>(server, 'read_back.py', PLAN.workspace, PLAN.dataset)
  const expectedAnswers = givenAnswers.flatMap((list, index) =>
    list.map((one) => ({ ...one, user: PLAN.users[index]?.username ?? '' })),
  )
  const { candidates } = job.labels
  expect(expectedAnswers).toHaveLength(2 * (SUBMITS + 2))
  expect(inOrder(back.answers)).toEqual(
    inOrder(expectedAnswers.flatMap((expectedAnswer) => valuesOf(expectedAnswer, candidates))),
  )
  expect(inOrder(back.on_the_wire).map(({ at: _, ...answer }) => answer)).toEqual(
    inOrder(expectedAnswers).map((expectedAnswer) => toWireAnswer(expectedAnswer, candidates)),
  )

  // Each answer's time must be between the key press or click that saved the answer and the end of the work.
  const pressedAt = new Map(
    expectedAnswers.map((expectedAnswer) => [`${expectedAnswer.external_id} ${expectedAnswer.user}`, expectedAnswer.pressedAt]),
  )
  for (const { external_id, user, at } of back.on_the_wire) {
    const time = Date.parse(`${at}Z`)
    expect(time, `${external_id} by ${user}`).toBeGreaterThanOrEqual(pressedAt.get(`${external_id} ${user}`) ?? end)
    expect(time, `${external_id} by ${user}`).toBeLessThanOrEqual(end)
  }

  const complete = completed(expectedAnswers, PLAN.min_submitted)
  expect(complete.size).toBeGreaterThanOrEqual(FOUND)
  expect(back.progress).toEqual(progress(expectedAnswers, RECORDS, complete))

  // The records are the same as the logged ones. A record is completed if two users have submitted an answer to it.
  const logged = data.records.map(({ answer: _, ...record }) => ({
    ...record,
    status: complete.has(record.external_id) ? 'completed' : 'pending',
  }))
  expect(back.records).toEqual(logged)

  if (process.env.POSTIL_SCREENSHOTS) await takeScreenshots(browser, server, { datasetId: dataset_id, annotator: kim, job })
  await Promise.all([first.close(), second.close()])
})
