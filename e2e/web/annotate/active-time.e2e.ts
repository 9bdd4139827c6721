import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { LABEL_AND_NOTE, openAnnotation, recordText, seedAnnotationDataset } from '../fixtures/annotation.ts'
import { callAsOwner } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { expectStoredAnswers } from '../support/device.ts'
import { holdRequest } from '../support/hold-request.ts'
import { saveForOffline } from '../support/offline.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()
const SECOND = 1_000

let datasets = 0
/** Stops the page's clock, so that only the test advances it. */
const open = async ({ offline = false } = {}) => {
  const id = await seedAnnotationDataset(team.server, {
    name: `timed ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    records: Array.from({ length: 12 }, (_, i) => ({ fields: { text: `Record ${i + 1}` } })),
  })
  const opened = await openPage(team.browser, team.server.url, offline ? { serviceWorkers: 'allow' } : {})
  const { page } = opened
  await createSession(page, team.server.url)
  await openAnnotation(page, id)
  if (offline) await saveForOffline(page, 10)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  // Submits one record first. The time before the clock was paused counts for this record, not for the records of the test.
  await submit(page)
  await settle(page, async () => (await mine(id)).active_time?.answers === 1)
  return { id, ...opened }
}

const press = (page: Page, key: string): Promise<void> => page.keyboard.press(key)

/** Lets time pass, with an input every ten seconds. */
const work = async (page: Page, ms: number): Promise<void> => {
  for (let left = ms; left > 0; left -= 10 * SECOND) {
    await page.clock.runFor(Math.min(left, 10 * SECOND))
    await press(page, 'Shift')
  }
}
/**
 * Advances the page's clock in small steps until the condition holds. The tests therefore accept times that are up to 5% longer.
 */
const settle = async (page: Page, isSettled: () => Promise<boolean>): Promise<void> => {
  await expect
    .poll(async () => {
      await page.clock.runFor(20)
      return isSettled()
    })
    .toBe(true)
}
const submit = async (page: Page, label: string | null = '1'): Promise<void> => {
  const before = await recordText(page)
  if (label !== null) await press(page, label)
  await press(page, 'Enter')
  await settle(page, async () => (await recordText(page)) !== before)
}
const show = async (page: Page, isVisible: boolean): Promise<void> => {
  await page.evaluate((visible) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => (visible ? 'visible' : 'hidden') })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isVisible)
}

type Mine = { active_time: { answers: number; lower_ms: number; median_ms: number; upper_ms: number } | null }
const mine = (id: string) => callAsOwner<Mine>(team.server, 'GET', `/me/datasets/${id}/active-time`)

/** The active times of the answers that the page sends from now on, in the order in which each answer was first sent. */
const sentTimes = (page: Page) => {
  const byMutation = new Map<string, number>()
  page.on('request', (request) => {
    if (request.method() !== 'PUT' || !request.url().endsWith('/responses/mine')) return
    const { mutation_id, active_ms } = request.postDataJSON() as { mutation_id: string; active_ms: number }
    byMutation.set(mutation_id, active_ms)
  })
  return async (count: number): Promise<readonly number[]> => {
    await settle(page, async () => byMutation.size >= count)
    return [...byMutation.values()]
  }
}
const expectAbout = (found: number | undefined, wanted: number): void => {
  expect(found).toBeGreaterThanOrEqual(wanted)
  expect(found).toBeLessThanOrEqual(wanted * 1.05)
}

test('the active time of an answer leaves out pauses, other windows and other records', async () => {
  const { id, page, close, complaints } = await open()
  const times = sentTimes(page)

  await work(page, 40 * SECOND)
  await submit(page)
  expectAbout((await times(1)).at(-1), 40 * SECOND)

  // Of a pause of two minutes, only half a minute counts.
  await work(page, 10 * SECOND)
  await page.clock.runFor(120 * SECOND)
  await press(page, 'Shift')
  await work(page, 10 * SECOND)
  await submit(page)
  expectAbout((await times(2)).at(-1), 50 * SECOND)

  await work(page, 20 * SECOND)
  await show(page, false)
  await page.clock.runFor(600 * SECOND)
  await show(page, true)
  await work(page, 15 * SECOND)
  await submit(page)
  expectAbout((await times(3)).at(-1), 35 * SECOND)

  // Looks at the next record before answering this one.
  const first = await recordText(page)
  await work(page, 20 * SECOND)
  await press(page, 'ArrowRight')
  await settle(page, async () => (await recordText(page)) !== first)
  await work(page, 30 * SECOND)
  await press(page, 'ArrowLeft')
  await settle(page, async () => (await recordText(page)) === first)
  await work(page, 20 * SECOND)
  await submit(page)
  expectAbout((await times(4)).at(-1), 40 * SECOND)
  await work(page, 10 * SECOND)
  await submit(page)
  expectAbout((await times(5)).at(-1), 40 * SECOND)

  await work(page, 35 * 60 * SECOND)
  await submit(page)
  expectAbout((await times(6)).at(-1), 30 * 60 * SECOND)

  await settle(page, async () => (await mine(id)).active_time?.answers === 7)
  expectAbout((await mine(id)).active_time?.median_ms, 40 * SECOND)
  expect(complaints()).toEqual([])
  await close()
})

test('drafts, undone answers and answers given offline lose no active time and count none twice', async () => {
  const { id, page, context, close, complaints } = await open({ offline: true })
  const firstMs = (await mine(id)).active_time?.median_ms ?? 0

  // Saves a draft, and then submits the answer.
  await work(page, 20 * SECOND)
  await press(page, '2')
  await press(page, 'Control+s')
  await settle(page, async () => (await page.getByText(ui('features/annotate:done.draft')).count()) > 0)
  await work(page, 20 * SECOND)
  await submit(page)
  await expect.poll(async () => (await mine(id)).active_time?.answers).toBe(2)
  expectAbout((await mine(id)).active_time!.median_ms * 2 - firstMs, 40 * SECOND)

  const record = await recordText(page)
  await work(page, 20 * SECOND)
  await submit(page)
  await expect.poll(async () => (await mine(id)).active_time?.answers).toBe(3)
  const undo = async () => {
    await press(page, 'Control+z')
    await settle(page, async () => (await recordText(page)) === record)
  }
  await undo()
  await expect.poll(async () => (await mine(id)).active_time?.answers).toBe(2)
  await context.setOffline(true)
  await work(page, 10 * SECOND)
  await submit(page, null)
  await undo()
  await work(page, 10 * SECOND)
  await submit(page, null)
  await context.setOffline(false)
  await settle(page, async () => (await mine(id)).active_time?.answers === 3)
  await expectStoredAnswers(page, 0)
  // Both answers took 40 seconds, so the median and the upper quartile are also 40 seconds.
  const { active_time } = await mine(id)
  expectAbout(active_time?.median_ms, 40 * SECOND)
  expectAbout(active_time?.upper_ms, 40 * SECOND)
  expect(complaints()).toEqual([])
  await close()
})

test('an answer that is undone before it was sent gives its active time back', async () => {
  const { id, page, close, complaints } = await open()
  const times = sentTimes(page)
  // Until this answer is confirmed, the page sends no other answer.
  const { sent, go } = await holdRequest(page, 'PUT', (url) => url.endsWith('/responses/mine'))
  await submit(page)
  await sent
  const record = await recordText(page)
  await work(page, 20 * SECOND)
  await submit(page)
  await press(page, 'Control+z')
  await settle(page, async () => (await recordText(page)) === record)
  await work(page, 10 * SECOND)
  await submit(page, null)
  go()
  expectAbout((await times(2)).at(-1), 30 * SECOND)
  await settle(page, async () => (await mine(id)).active_time?.answers === 3)
  expect(complaints()).toEqual([])
  await close()
})
