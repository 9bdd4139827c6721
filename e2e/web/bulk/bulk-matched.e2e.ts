import type { BulkAnswerJob } from '@postil/contract/bulk-answers.ts'
import { detail } from '@postil/testkit/detail.ts'
import { variants } from '@postil/testkit/run-size.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { applyTheme, findViolations, openPage, PHONE } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import {
  expectLeft,
  progressText,
  question,
  rangeText,
  seedAnnotationDataset,
  storedRecords,
  teamProgressText,
} from '../fixtures/annotation.ts'
import { callAsOwner } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'
import { stableBox } from '../support/stable-box.ts'

const team = setUpSharedTeam()

const options = ['Yes', 'No'].map((text) => ({ value: text.toLowerCase(), text }))
const questions = {
  label: { title: 'Label', required: true, settings: { type: 'label_selection', options } },
  span: {
    title: 'People',
    required: false,
    settings: { type: 'span', field: 'text', options: [{ value: 'per', text: 'Person' }], allow_overlapping: false },
  },
}

let datasets = 0
const seed = (records: number) =>
  seedAnnotationDataset(team.server, {
    name: `matched ${++datasets}`,
    workspaceId: team.workspaceId,
    questions,
    metadata: [{ name: 'n', title: 'Number', settings: { type: 'integer' } }],
    records: Array.from({ length: records }, (_, index) => ({
      fields: { text: `Ada of record ${index + 1}.` },
      external_id: String(index + 1),
      metadata: { n: index + 1 },
      ...(index < 2 && { suggestions: { span: { value: [{ label: 'per', start: 0, end: 3 }] } } }),
    })),
  })
const open = async (id: string, query: string, settings: Parameters<typeof openPage>[2] = {}) => {
  const opened = await openPage(team.browser, team.server.url, settings)
  await createSession(opened.page, team.server.url)
  await opened.page.goto(`/dataset/${id}/annotation-mode${query}`)
  return opened
}
const SORTED = '&sort=metadata.n.asc'
const answered = async (id: string) => (await storedRecords(team.server, id)).filter(({ responses }) => responses.length > 0)
const selectMatched = async (page: Page, total: number) => {
  await page.getByRole('checkbox', { name: ui('features/annotate:bulk.selectPage') }).click()
  await page.getByRole('button', { name: ui('features/annotate:bulk.matched.select', { count: total }) }).click()
  await page
    .getByText(ui('features/annotate:bulk.matched.all', { count: total }))
    .first()
    .waitFor()
}

const progressIs = (
  page: Page,
  mine: Parameters<typeof progressText>,
  team: readonly [completed: number, total: number],
): Promise<void> => {
  const progress = page.getByRole('region', { name: ui('features/annotate:progress.name') })
  return expect
    .poll(async () => (await progress.innerText()).replace(/\s+/g, ' '))
    .toBe(`${progressText(...mine)} ${teamProgressText(...team)}`)
}

test('everything that a filter finds is answered by the server after a confirmation', async () => {
  const id = await seed(130)
  const { page, context, complaints, close } = await open(id, `?page=1~25&metadata=n.le120${SORTED}`)
  await expectLeft(page, rangeText(1, 25, 120))
  await selectMatched(page, 120)
  await question(page, 'label').getByRole('radio', { name: 'Yes' }).click()
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 120 }) }).click()
  const dialog = page.getByRole('dialog', { name: ui('features/annotate:bulk.confirm.submitted', { count: 120 }) })
  await dialog.getByRole('button', { name: ui('features/annotate:bulk.cancel') }).click()
  expect(await answered(id)).toHaveLength(0)
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 120 }) }).click()
  await dialog.getByRole('checkbox', { name: 'People' }).check()
  const refusal = { status: 418, json: { detail: 'The store is being moved' } }
  await context.route(/responses\/bulk-jobs$/, (route) => route.fulfill(refusal), { times: 1 })
  await dialog.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
  const notice = page.getByRole('region', { name: ui('common:toast.region') })
  await notice.getByText('The store is being moved').waitFor()
  await notice.getByText('ERROR_CREATING_RECORD_RESPONSE_BULK').waitFor()
  await dialog.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
  await page.getByText(ui('features/annotate:bulk.job.ended.submitted', { count: 120 })).waitFor()
  // The report is also available after a complete success.
  const report = await page.getByRole('link', { name: ui('features/annotate:bulk.job.report') }).getAttribute('href')
  const rows = (await (await context.request.get(report ?? '')).text()).trim().split('\r\n')
  expect([rows.length, rows.filter((row) => row.includes(',stored,')).length]).toEqual([121, 120])
  await progressIs(page, [10, 0, 0, 120], [120, 130])
  const all = await answered(id)
  expect(all).toHaveLength(120)
  expect(all.every(({ responses }) => responses.length === 1 && responses[0]?.status === 'submitted')).toBe(true)
  // Accepted suggestions are stored with the outcome `accepted_unseen`.
  const spans = all.filter(({ responses }) => JSON.stringify(responses[0]?.values).includes('"per"'))
  expect(spans.map(({ external_id }) => external_id).sort()).toEqual(['1', '2'])
  expect(spans[0]?.responses[0]?.suggestion_outcomes).toEqual({ span: { outcome: 'accepted_unseen', agent: null } })
  await page.getByRole('button', { name: ui('features/annotate:end.clearFilters') }).click()
  await expectLeft(page, rangeText(1, 10, 10))
  await page.reload()
  await page.getByText(ui('features/annotate:bulk.job.ended.submitted', { count: 120 })).waitFor()
  await page
    .getByRole('region', { name: ui('features/annotate:bulk.job.title') })
    .getByRole('button', { name: ui('features/annotate:bulk.job.close') })
    .click()
  await page.reload()
  await expectLeft(page, rangeText(1, 10, 10))
  expect(await page.getByText(ui('features/annotate:bulk.job.ended.submitted', { count: 120 })).count()).toBe(0)
  expect(complaints()).toEqual([])
  await close()
})

test('bulk answers by the server are undone with a button, or with the shortcut immediately afterwards', async () => {
  const id = await seed(30)
  const { page, context, complaints, close } = await open(id, `?page=1~10${SORTED}`)
  const submitAll = async () => {
    await expectLeft(page, rangeText(1, 10, 30))
    await selectMatched(page, 30)
    await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 30 }) }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: ui('features/annotate:action.submit') })
      .click()
    await page.getByText(ui('features/annotate:bulk.job.ended.submitted', { count: 30 })).waitFor()
    await expect.poll(async () => (await answered(id)).length).toBe(30)
  }
  const undo = page
    .getByRole('region', { name: ui('features/annotate:bulk.job.title') })
    .getByRole('button', { name: ui('features/annotate:action.undo') })
  await expectLeft(page, rangeText(1, 10, 30))
  await question(page, 'label').getByRole('radio', { name: 'Yes' }).click()
  await submitAll()
  await undo.click()
  await page.getByText(ui('features/annotate:bulk.job.undone', { count: 30 })).waitFor()
  await expectLeft(page, rangeText(1, 10, 30))
  expect(await answered(id)).toHaveLength(0)
  await progressIs(page, [30, 0, 0, 0], [0, 30])
  // A bulk answer that was undone can't be undone again.
  expect(await undo.count()).toBe(0)
  const report = await page.getByRole('link', { name: ui('features/annotate:bulk.job.report') }).getAttribute('href')
  const rows = (await (await context.request.get(report ?? '')).text()).trim().split('\r\n')
  expect(rows.filter((row) => row.includes(',stored,'))).toHaveLength(30)

  await submitAll()
  // A record that got a different answer in the meantime keeps that answer.
  const [first] = await answered(id)
  const values = { label: { value: 'no' } }
  await callAsOwner(team.server, 'PUT', `/responses/${first?.responses[0]?.id}`, { status: 'submitted', values })
  await page.keyboard.press('Control+z')
  const undone = ui('features/annotate:bulk.job.undone', { count: 29 })
  await page.getByText(`${undone} ${ui('features/annotate:bulk.job.changed', { count: 1 })}`).waitFor()
  await expectLeft(page, rangeText(1, 10, 29))
  expect((await answered(id)).map(({ responses }) => responses[0]?.values)).toEqual([values])
  await progressIs(page, [29, 0, 0, 1], [1, 30])
  expect(complaints()).toEqual([])
  await close()
})

const job = (done: number, more: object = {}): BulkAnswerJob => ({
  job: {
    id: '00000000-0000-7000-8000-000000000001',
    status: 'started',
    done,
    total: 5000,
    reason: null,
    answers: { stored: done, invalid: 0, changed: 0, gone: 0 },
    ...more,
  },
  status: 'discarded',
  undoes: null,
  inserted_at: '2026-01-01T00:00:00.000000',
})

detail.each(
  variants(1, [
    ['a desk', {}],
    ['a phone', PHONE],
  ] as const),
)('a bulk answer by the server shows its progress on %s, even after returning, and can be canceled', async (_, settings) => {
  const id = await seed(30)
  const { page, context, close } = await open(id, `?page=1~10${SORTED}`, settings)
  let shown = job(1200)
  await context.route(/responses\/bulk-jobs$/, (route) => route.fulfill({ json: { items: [shown] } }))
  await context.route(/jobs\/[^/]+\/cancel$/, (route) => {
    shown = job(1250, { status: 'canceled' })
    return route.fulfill({ json: shown.job })
  })
  await page.reload()
  const progress = page.getByRole('progressbar', { name: ui('features/annotate:bulk.job.running.discarded') })
  await progress.waitFor()
  await expect
    .poll(() => progress.getAttribute('aria-valuetext'))
    .toBe(
      `${ui('features/annotate:bulk.job.running.discarded')}: ${ui('features/annotate:bulk.job.done', { count: 5000, done: '1,200', total: '5,000' })}`,
    )
  await page.getByRole('checkbox', { name: ui('features/annotate:bulk.selectPage') }).click()
  for (const theme of ['light', 'dark', 'high-contrast'] as const) {
    await applyTheme(page, theme)
    const found = await findViolations(page, theme === 'light' ? 'all' : 'colours')
    expect(found.filter((line) => !/^target-size:.*partially obscured/s.test(line))).toEqual([])
  }
  await page.getByRole('button', { name: ui('features/annotate:bulk.matched.select', { count: 30 }) }).click()
  await page
    .getByText(ui('features/annotate:bulk.matched.all', { count: 30 }))
    .first()
    .waitFor()
  const selected = page.locator('main').getByText(uiPattern('features/annotate:bulk.selected', { formatted: /\d+/ }))
  await expect.poll(() => selected.allInnerTexts()).toEqual([ui('features/annotate:bulk.selected', { count: 30 })])
  await page.getByRole('button', { name: ui('features/annotate:bulk.job.stop'), exact: true }).click()
  const discarded = ui('features/annotate:bulk.job.ended.discarded', { count: 1250 })
  await page.getByText(`${discarded} ${ui('features/annotate:bulk.job.stopped', { count: 3750 })}`).waitFor()
  const link = page.getByRole('link', { name: ui('features/annotate:bulk.job.report') })
  expect(await link.getAttribute('href')).toMatch(/bulk-jobs\/00000000-0000-7000-8000-000000000001\/report\?format=csv$/)
  expect((await findViolations(page, 'all')).filter((line) => !/^target-size:.*partially obscured/s.test(line))).toEqual([])
  await close()
})

detail('on a phone the result of a bulk answer is summarized in a few lines, and the rest can be scrolled to', async () => {
  const id = await seed(30)
  const { page, context, close } = await open(id, `?page=1~10${SORTED}`, PHONE)
  const answers = { stored: 1250, invalid: 300, changed: 20, gone: 12 }
  const shown = job(1582, { status: 'canceled', answers })
  await context.route(/responses\/bulk-jobs$/, (route) => route.fulfill({ json: { items: [shown] } }))
  await page.reload()
  const jobNotice = page.getByRole('region', { name: ui('features/annotate:bulk.job.title') })
  expect((await stableBox(jobNotice)).height).toBeLessThan(150)
  const words = jobNotice.getByRole('paragraph')
  expect(await words.evaluate(({ clientHeight, scrollHeight }) => scrollHeight > clientHeight)).toBe(true)
  // The list also works with the keyboard: focusing the link at the end scrolls to it.
  await words.getByRole('link').focus()
  await expect.poll(() => words.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0)
  await close()
})

detail('a thousand records are rendered as they scroll near, and all can be selected', async () => {
  const id = await seed(1000)
  const { page, close } = await open(id, `?page=1~1000${SORTED}`)
  await expect.poll(() => page.locator('li[data-record]').count()).toBe(1000)
  const drawn = () => page.locator('li[data-record]', { hasText: 'Ada of record' }).count()
  expect(await drawn()).toBeLessThan(200)
  await page.keyboard.press('End')
  await page.getByText('Ada of record 1000.').waitFor()
  await page.keyboard.press('Control+a')
  await page
    .locator('main')
    .getByText(ui('features/annotate:bulk.selected', { count: 1000 }))
    .waitFor()
  await close()
})
