import { variants } from '@postil/testkit/run-size.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { applyTheme, findViolations, openPage, THEMES } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { expectLeft, placeText, RECORD, seedAnnotationDataset, storedRecords } from '../fixtures/annotation.ts'
import { callAsOwner, seedUser } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'
import { roundedBox, stableBox } from '../support/stable-box.ts'

const team = setUpSharedTeam()

const options = ['Yes', 'No'].map((text) => ({ value: text.toLowerCase(), text }))
const questions = { label: { title: 'Label', required: true, settings: { type: 'label_selection', options } } }
const SORTED = 'sort=metadata.n.asc'

let datasets = 0
const open = async (records: number, query: string) => {
  const id = await seedAnnotationDataset(team.server, {
    name: `list ${++datasets}`,
    workspaceId: team.workspaceId,
    questions,
    metadata: [{ name: 'n', title: 'Number', settings: { type: 'integer' } }],
    records: Array.from({ length: records }, (_, index) => ({
      fields: { text: `Text ${index + 1}` },
      external_id: String(index + 1),
      metadata: { n: index + 1 },
    })),
  })
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url)
  const path = `/dataset/${id}/annotation-mode`
  await opened.page.goto(`${path}?${query}`)
  return {
    page: opened.page,
    id,
    stored: async (status: string) =>
      (await storedRecords(team.server, id)).filter(({ responses }) => responses[0]?.status === status).length,
    go: (other: string) => opened.page.goto(`${path}?${other}`),
    done: async () => {
      expect(opened.complaints()).toEqual([])
      await opened.close()
    },
  }
}
const seedAnswer = async (id: string, external_id: string) => {
  const user_id = await seedUser(team.server, 'bea', 'annotator', [team.workspaceId])
  const responses = [{ user_id, status: 'submitted', values: { label: { value: 'yes' } } }]
  await callAsOwner(team.server, 'PUT', `/datasets/${id}/records/bulk`, { items: [{ external_id, responses }] })
}
const shows = (page: Page, text: string) => page.locator(RECORD).getByText(text, { exact: true }).waitFor()
const pageOf = (page: Page) => new URL(page.url()).searchParams.get('page')
const announcedText = (page: Page) => page.locator('.visually-hidden[aria-live][role=status]').textContent()

test('a position near the end of a list is the same after a reload, with earlier records before it', async () => {
  const { page, done } = await open(9, `page=3&${SORTED}`)
  for (const _ of ['opened', 'loaded again']) {
    await shows(page, 'Text 3')
    await expect.poll(() => pageOf(page)).toBe('3')
    await page.waitForLoadState('networkidle')
    await page.reload()
  }
  await shows(page, 'Text 3')
  await page.keyboard.press('ArrowLeft')
  await shows(page, 'Text 2')
  await expect.poll(() => pageOf(page)).toBe('2')
  await page.keyboard.press('ArrowLeft')
  await shows(page, 'Text 1')
  await expect.poll(() => pageOf(page)).toBe('1')
  await page.goBack()
  await shows(page, 'Text 2')
  await done()
})

test.each(variants(2, ['', 'validated', 'Pending', 'constructor', 'pending,submitted']))(
  'an unknown status, “%s”, is ignored and pending records are shown',
  async (status) => {
    const { page, done } = await open(2, `status=${status}&${SORTED}`)
    await expectLeft(page, 2)
    await shows(page, 'Text 1')
    await done()
  },
)

test('screen readers hear what was done and the current position', async () => {
  const { page, go, stored, done } = await open(4, SORTED)
  await expectLeft(page, 4)
  await page.keyboard.press('1')
  await expect.poll(() => announcedText(page)).toBe(ui('question-types/shared:picked', { option: 'Yes' }))
  await page.keyboard.press('Enter')
  await expect
    .poll(() => announcedText(page))
    .toBe(`${ui('features/annotate:done.submitted')}. ${ui('features/annotate:announce.left', { count: 3 })}`)
  await page.keyboard.press('Backspace')
  await expect
    .poll(() => announcedText(page))
    .toBe(`${ui('features/annotate:done.discarded')}. ${ui('features/annotate:announce.left', { count: 2 })}`)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => announcedText(page)).toBe(ui('features/annotate:announce.left', { count: 2 }))
  await page.keyboard.press('2')
  await page.keyboard.press('Enter')
  await expectLeft(page, 1)
  await expect.poll(() => stored('submitted')).toBe(2)
  await go(`status=submitted&${SORTED}`)
  await shows(page, 'Text 1')
  await expect.poll(() => announcedText(page)).toBe(placeText(1, 2))
  await done()
})

test('an annotator who has only drafts left is led to them', async () => {
  const { page, stored, done } = await open(2, SORTED)
  for (const [text, rest] of [
    ['Text 1', 1],
    ['Text 2', 0],
  ] as const) {
    await shows(page, text)
    await page.keyboard.press('Control+s')
    await expectLeft(page, rest)
    await page.keyboard.press('ArrowRight')
  }
  await expect.poll(() => stored('draft')).toBe(2)
  await page.reload()
  await page.getByText(ui('features/annotate:end.drafts', { count: 2 })).waitFor()
  await page.getByRole('button', { name: ui('features/annotate:end.toDrafts') }).click()
  await expectLeft(page, placeText(1, 2))
  await page.waitForURL((url) => url.searchParams.get('status') === 'draft')
  await done()
})

test('a draft shows that others completed its record, and an undone answer does not', async () => {
  const { page, id, go, stored, done } = await open(2, SORTED)
  const head = page.locator(RECORD)
  const completed = head.getByText(ui('common:status.completed'), { exact: true })
  await shows(page, 'Text 1')
  await page.keyboard.press('Control+s')
  await page.keyboard.press('ArrowRight')
  await shows(page, 'Text 2')
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect.poll(() => stored('submitted')).toBe(1)
  await seedAnswer(id, '1')
  await go(`status=draft&${SORTED}`)
  await completed.waitFor()
  await go(`status=submitted&${SORTED}`)
  await shows(page, 'Text 2')
  expect(await completed.count()).toBe(0)
  await page.getByRole('button', { name: ui('features/annotate:action.clear'), exact: true }).click()
  await expect.poll(() => stored('submitted')).toBe(0)
  await head.getByText(ui('common:status.pending'), { exact: true }).waitFor()
  expect(await completed.count()).toBe(0)
  await done()
})

test('the questions keep their position while another list loads, and are disabled at the end of a list', async () => {
  const { page, done } = await open(2, SORTED)
  await shows(page, 'Text 1')
  const option = page.locator('[data-option]').first()
  const before = await stableBox(option)
  const submit = page.getByRole('button', { name: ui('features/annotate:action.submit'), exact: false })
  const waits = Promise.withResolvers<void>()
  await page.route(/records\/search/, async (route) => {
    await waits.promise
    await route.continue()
  })
  await page.getByRole('button', { name: uiPattern('features/annotate:toolbar.status', {}, { whole: false }) }).click()
  await page.getByRole('menuitemradio', { name: ui('common:status.discarded') }).click()
  const resting = page.locator('[inert] form')
  await resting.waitFor()
  await expect.poll(() => roundedBox(option)).toEqual(before)
  expect(await submit.count()).toBe(0)
  waits.resolve()
  await page.getByRole('heading', { name: ui('features/annotate:end.none.discarded') }).waitFor()
  await resting.waitFor()
  await expect.poll(() => roundedBox(option)).toEqual(before)
  await page.locator('#main').focus()
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await page.mouse.click(before.x + 5, before.y + 5)
  expect(await page.locator('[data-missing], input:checked, [aria-checked=true]').count()).toBe(0)
  for (const theme of THEMES) {
    await applyTheme(page, theme)
    expect(await findViolations(page, theme === 'light' ? 'all' : 'colours')).toEqual([])
  }
  await done()
})
