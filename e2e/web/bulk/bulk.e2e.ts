import { detail } from '@postil/testkit/detail.ts'
import { variants } from '@postil/testkit/run-size.ts'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { applyTheme, findViolations, openPage, PHONE } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import {
  expectLeft,
  progressText,
  question,
  rangeText,
  seedAnnotationDataset,
  storedAnswers,
  storedRecords,
  textBox,
} from '../fixtures/annotation.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { box, cards, expectAddress, expectNumbers, expectSelected, focusCheckbox, numberRange } from '../support/bulk.ts'
import { createSession } from '../support/sign-in.ts'
import { roundedBox } from '../support/stable-box.ts'

const team = setUpSharedTeam()

const options = ['Yes', 'No', 'Maybe'].map((text) => ({ value: text.toLowerCase(), text }))
const LABEL = { title: 'Label', required: true, settings: { type: 'label_selection', options } }
const NOTE = { title: 'Note', required: false, settings: { type: 'text', use_markdown: false } }
const SPAN = {
  title: 'People',
  required: false,
  settings: { type: 'span', field: 'text', options: [{ value: 'per', text: 'Person' }], allow_overlapping: false },
}
const LONG = 'One of many sentences that nobody has to read to the end. '.repeat(60)

let datasets = 0
const seed = (records = 25, questions: { readonly [name: string]: object } = { label: LABEL, note: NOTE }) =>
  seedAnnotationDataset(team.server, {
    name: `bulk ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: questions as { [name: string]: { [key: string]: unknown } },
    metadata: [{ name: 'n', title: 'Number', settings: { type: 'integer' } }],
    records: Array.from({ length: records }, (_, index) => ({
      fields: { text: `Ada of record ${index + 1}.${index === 1 ? ` ${LONG}` : ''}` },
      external_id: String(index + 1),
      metadata: { n: index + 1 },
      ...(index === 0 && {
        suggestions: {
          label: { value: 'maybe', score: 0.75, agent: 'a-model' },
          ...('span' in questions && { span: { value: [{ label: 'per', start: 0, end: 3 }] } }),
        },
      }),
    })),
  })

const SORTED = '&sort=metadata.n.asc'
const open = async (id: string, query = `?page=1~10${SORTED}`, settings: Parameters<typeof openPage>[2] = {}) => {
  const opened = await openPage(team.browser, team.server.url, settings)
  await createSession(opened.page, team.server.url)
  await opened.page.goto(`/dataset/${id}/annotation-mode${query}`)
  return opened
}
const expectAnnounced = (page: Page, words: string) =>
  page.locator('.visually-hidden[aria-live]', { hasText: words }).first().waitFor({ state: 'attached' })
const statusOf = async (id: string): Promise<{ readonly [number: string]: string }> =>
  Object.fromEntries(
    (await storedRecords(team.server, id)).flatMap(({ external_id, responses: [answer] }) =>
      answer ? [[external_id, `${answer.status} ${JSON.stringify(answer.values)}`]] : [],
    ),
  )
const statuses = async (id: string) =>
  Object.fromEntries(Object.entries(await statusOf(id)).map(([number, text]) => [number, text.split(' ')[0]]))
const idOf = async (id: string, number: number): Promise<string> =>
  (await storedRecords(team.server, id)).find(({ external_id }) => external_id === String(number))?.id ?? ''
const answerOneWith = (context: BrowserContext, recordId: string, status: number, body: object) =>
  context.route(new RegExp(`${recordId}/responses/mine`), (route) => route.fulfill({ status, json: body }), { times: 1 })

detail('a page of records is answered with the mouse, and the next page follows', async () => {
  const id = await seed()
  const { page, complaints, close } = await open(id, `?page=1${SORTED}`)
  await question(page, 'label').waitFor()
  await page.getByRole('button', { name: ui('features/annotate:view.bulk') }).click()
  await expectNumbers(page, numberRange(1, 10))
  await expectAddress(page, '1~10')
  await expectLeft(page, rangeText(1, 10, 25))
  await expect.poll(() => cards(page).first().locator('dl').innerText()).toMatch(/Label\s+Maybe\s+a-model\s+0\.8/)
  // Without a selection, no action is available.
  const submit = page.getByRole('button', { name: ui('features/annotate:action.submit') })
  await expect.poll(() => submit.getAttribute('aria-disabled')).toBe('true')

  await box(page, 2).click()
  await box(page, 5).click({ modifiers: ['Shift'] })
  await expectSelected(page, 4)
  await box(page, 4).click({ modifiers: ['Shift'] })
  await expectSelected(page, 3)
  await cards(page).nth(7).getByText('Ada of record 8').click()
  await expectAnnounced(page, ui('features/annotate:bulk.selected', { count: 4 }))
  await page
    .locator('main')
    .getByText(ui('features/annotate:bulk.selected', { count: 4 }))
    .waitFor()
  await question(page, 'label').getByRole('radio', { name: 'Yes' }).click()
  await question(page, 'note').getByRole('textbox').fill('the same')
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 4 }) }).click()

  await expectAnnounced(page, ui('features/annotate:doneMany.submitted', { count: 4 }))
  await expectNumbers(page, [1, 5, 6, 7, 9, 10, 11, 12, 13, 14])
  await expectSelected(page, 0)
  await expectLeft(page, rangeText(1, 10, 21))
  const values = '{"label":{"value":"yes"},"note":{"value":"the same"}}'
  await expect.poll(() => statusOf(id)).toEqual(Object.fromEntries([2, 3, 4, 8].map((n) => [n, `submitted ${values}`])))
  const ownAnswer = page.getByLabel(ui('features/annotate:progress.mine'))
  await expect.poll(async () => (await ownAnswer.innerText()).replace(/\s+/g, ' ')).toBe(progressText(21, 0, 0, 4))

  await expect.poll(() => question(page, 'label').getByRole('radio', { name: 'Yes' }).getAttribute('aria-checked')).toBe('true')
  await page.getByRole('button', { name: ui('features/annotate:action.undo') }).click()
  await expectNumbers(page, numberRange(2, 11))
  await expect.poll(() => statusOf(id)).toEqual({})
  await box(page, 2).click()
  await page.getByRole('button', { name: ui('features/annotate:action.saveDraft') }).click()
  await expect.poll(() => statuses(id)).toEqual({ 2: 'draft' })

  await page.getByLabel(ui('features/annotate:bulk.pageSize')).selectOption('25')
  await expect.poll(() => new URL(page.url()).searchParams.get('page')).toMatch(/~25$/)
  await page.getByRole('button', { name: ui('features/annotate:view.focus') }).click()
  await page.getByRole('region', { name: ui('features/annotate:record.name'), exact: true }).waitFor()
  expect(complaints()).toEqual([])
  await close()
})

test('everything works with the keyboard alone, and typing in a text triggers no shortcut', async () => {
  const id = await seed()
  const { page, close } = await open(id)
  await expectNumbers(page, numberRange(1, 10))
  await focusCheckbox(page)
  await page.keyboard.press('Space')
  await expectSelected(page, 1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expectSelected(page, 4)
  await page.keyboard.press('Shift+ArrowUp')
  await expectAnnounced(page, ui('features/annotate:bulk.selected', { count: 3 }))
  // A digit answers the focused question. Enter submits.
  await page.keyboard.press('Enter')
  await page.getByText(ui('features/annotate:question.missing')).first().waitFor()
  await page.keyboard.press('2')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await expectNumbers(page, [2, 5, 6, 7, 8, 9, 10, 11, 12, 13])
  await expect.poll(() => statuses(id)).toEqual({ 1: 'submitted', 3: 'submitted', 4: 'submitted' })

  const note = question(page, 'note').getByRole('textbox')
  await note.fill('abc')
  await page.keyboard.press('Control+a')
  await expectSelected(page, 0)
  await page.keyboard.press('Space')
  await expect.poll(() => note.inputValue()).toBe(' ')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await focusCheckbox(page)
  await page.keyboard.press('Control+a')
  await expectAnnounced(page, ui('features/annotate:bulk.selected', { count: 10 }))
  await page.keyboard.press('Backspace')
  await expectNumbers(page, numberRange(14, 23))
  await page.keyboard.press('ArrowRight')
  await expectNumbers(page, [24, 25])
  await expectAddress(page, '11~10')
  await page.goBack()
  await expectNumbers(page, numberRange(14, 23))
  await page.keyboard.press('ArrowRight')
  await expectNumbers(page, [24, 25])
  await expectAddress(page, '11~10')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+s')
  await expectNumbers(page, numberRange(14, 23))
  await page.keyboard.press('Control+a')
  await expectSelected(page, 10)
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: ui('features/annotate:end.drafts', { count: 12 }) }).waitFor()
  await expect.poll(async () => Object.values(await statuses(id)).filter((status) => status === 'draft').length).toBe(12)
  await page.keyboard.press('Control+z')
  await expectNumbers(page, numberRange(14, 23))
  await close()
})

detail('a link to the last page starts there, and the previous page follows when it is done', async () => {
  const id = await seed(25)
  const { page, close } = await open(id, `?page=21~10${SORTED}`)
  await expectNumbers(page, numberRange(21, 25))
  await expectLeft(page, rangeText(21, 25, 25))
  await focusCheckbox(page)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await expectNumbers(page, numberRange(11, 20))
  await expectLeft(page, rangeText(11, 20, 20))
  await close()
})

test('a failure is reported at its record, and nothing is lost', async () => {
  const id = await seed(12)
  const { page, context, close } = await open(id)
  await expectNumbers(page, numberRange(1, 10))
  await answerOneWith(context, await idOf(id, 2), 422, { detail: 'This one will not do' })
  await answerOneWith(context, await idOf(id, 3), 409, { detail: 'changed', response: null })
  await page.getByRole('checkbox', { name: ui('features/annotate:bulk.selectPage') }).click()
  await page.keyboard.press('1')
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 10 }) }).click()
  await cards(page).filter({ hasText: 'of record 2.' }).getByText('This one will not do').waitFor()
  await cards(page).filter({ hasText: 'of record 3.' }).getByText(ui('features/annotate:conflict.title')).waitFor()
  await expectNumbers(page, [2, 3, 11, 12])
  await expect.poll(async () => Object.keys(await statuses(id)).length).toBe(8)
  // The conflict must be resolved first, so its checkbox is disabled. The rejected answer can be submitted again.
  await expect.poll(() => cards(page).nth(1).getByRole('checkbox').isDisabled()).toBe(true)
  await page.getByRole('button', { name: ui('features/annotate:conflict.keepMine') }).click()
  await expect.poll(async () => Object.keys(await statuses(id)).length).toBe(9)
  await cards(page).first().getByRole('checkbox').click()
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 1 }) }).click()
  await expectNumbers(page, [11, 12])
  await expect.poll(async () => Object.keys(await statuses(id)).length).toBe(10)

  await context.setOffline(true)
  // Uses the keyboard, because a notice that appears in the meantime moves the page.
  await page.getByRole('checkbox', { name: ui('features/annotate:bulk.selectPage') }).press('Space')
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 2 }) }).press('Enter')
  const done = ui('features/annotate:doneMany.submitted', { count: 2 })
  const state = ui('features/annotate:save.short.kept')
  await page.getByText(ui('features/annotate:save.lastWithState', { done, state })).waitFor()
  await context.setOffline(false)
  await expect.poll(async () => Object.keys(await statuses(id)).length).toBe(12)
  await close()
})

detail('spans are marked in each text, and each record keeps its own', async () => {
  const id = await seed(4, { label: LABEL, span: SPAN })
  const { page, close } = await open(id)
  await expectNumbers(page, numberRange(1, 4))
  expect(await question(page, 'span').count()).toBe(0)
  await page.getByText(ui('features/annotate:bulk.inText', { titles: 'People' })).waitFor()
  // Marking a span in a record's text selects the record.
  const words = await textBox(page, 'record 3')
  await page.mouse.dblclick(words.x + 4, words.y + words.height / 2)
  await page.getByRole('option', { name: /Person/ }).click()
  await expectSelected(page, 1)
  await box(page, 1).click()
  await question(page, 'label').getByRole('radio', { name: 'No' }).click()
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 2 }) }).click()
  // The dialog asks about the suggested span of the first record, because nobody has confirmed it.
  const dialog = page.getByRole('dialog', { name: ui('features/annotate:bulk.confirm.submitted', { count: 2 }) })
  await dialog.getByRole('checkbox', { name: /People/ }).check()
  await dialog.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
  await expectNumbers(page, [2, 4])
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(2)
  const seeded1 = (await storedAnswers(team.server, id)).get(await idOf(id, 1))
  const given3 = (await storedAnswers(team.server, id)).get(await idOf(id, 3))
  expect(seeded1?.values).toEqual({ label: 'no', span: [{ label: 'per', start: 0, end: 3 }] })
  expect(given3?.values).toEqual({ label: 'no', span: [{ label: 'per', start: 7, end: 13 }] })
  await close()
})

const outcomes = async (id: string): Promise<{ readonly [number: string]: unknown }> =>
  Object.fromEntries(
    (await storedRecords(team.server, id)).flatMap(({ external_id, responses: [answer] }) =>
      answer ? [[external_id, answer.suggestion_outcomes]] : [],
    ),
  )

detail('suggestions that nobody has confirmed are submitted only if they are chosen', async () => {
  const id = await seed(3, { label: LABEL, span: SPAN })
  const { page, complaints, close } = await open(id)
  await expectNumbers(page, numberRange(1, 3))
  for (const number of [1, 2]) await box(page, number).click()
  await question(page, 'label').getByRole('radio', { name: 'Maybe' }).click()
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 2 }) }).click()
  const dialog = page.getByRole('dialog', { name: ui('features/annotate:bulk.confirm.submitted', { count: 2 }) })
  const people = dialog.getByRole('checkbox', { name: /People/ })
  expect(await people.isChecked()).toBe(false)
  await dialog.getByText(ui('features/annotate:bulk.unseen.count', { count: 1 })).waitFor()
  expect(await findViolations(page, 'all')).toEqual([])
  await dialog.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
  await expectNumbers(page, [3])
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(2)
  const answers = await storedAnswers(team.server, id)
  expect(answers.get(await idOf(id, 1))?.values).toEqual({ label: 'maybe' })
  expect(answers.get(await idOf(id, 2))?.values).toEqual({ label: 'maybe', span: [] })
  expect(await outcomes(id)).toEqual({ 1: { label: { outcome: 'confirmed', agent: 'a-model' } }, 2: {} })
  expect(complaints()).toEqual([])
  await close()
})

detail.each(
  variants(1, [
    ['a desk', {}],
    ['a phone', PHONE],
  ] as const),
)('suggestions are accepted for many records on %s, and records without an answer are left out', async (_, settings) => {
  const id = await seed(3, { label: LABEL, span: SPAN })
  const { page, complaints, close } = await open(id, undefined, settings)
  await expectNumbers(page, numberRange(1, 3))
  for (const number of [1, 2]) await box(page, number).click()
  await page.getByRole('button', { name: ui('features/annotate:bulk.accept') }).click()
  const dialog = page.getByRole('dialog', { name: ui('features/annotate:bulk.confirm.suggestions', { count: 2 }) })
  for (const title of [/Label/, /People/]) expect(await dialog.getByRole('checkbox', { name: title }).isChecked()).toBe(true)
  await dialog.getByText(ui('features/annotate:bulk.unseen.leftOut', { count: 1 })).waitFor()
  await dialog.getByRole('button', { name: ui('features/annotate:bulk.accept') }).click()
  await expectNumbers(page, [2, 3])
  const span = [{ label: 'per', start: 0, end: 3 }]
  await expect
    .poll(() => statusOf(id))
    .toEqual({ 1: `submitted ${JSON.stringify({ label: { value: 'maybe' }, span: { value: span } })}` })
  const unseen = (agent: string | null) => ({ outcome: 'accepted_unseen', agent })
  expect(await outcomes(id)).toEqual({ 1: { label: unseen('a-model'), span: unseen(null) } })
  expect(complaints()).toEqual([])
  await close()
})

detail.each(
  variants(1, [
    ['a desk', {}],
    ['a phone', PHONE],
  ] as const),
)('the bulk view is accessible and fits on %s, in every theme', async (_, settings) => {
  const id = await seed(12, { label: LABEL, span: SPAN, note: NOTE })
  const { page, close } = await open(id, undefined, settings)
  await expectNumbers(page, numberRange(1, 10))
  await box(page, 1).click()
  await page.getByRole('button', { name: ui('features/annotate:bulk.more') }).waitFor()
  for (const theme of ['light', 'dark', 'high-contrast'] as const) {
    await applyTheme(page, theme)
    const found = await findViolations(page, theme === 'light' ? 'all' : 'colours')
    // Partly hidden buttons are ignored, because scrolling can leave a button partly under the element above it.
    expect(found.filter((line) => !/^target-size:.*partially obscured/s.test(line))).toEqual([])
  }
  const width = page.viewportSize()?.width ?? 0
  for (const name of [
    uiPattern('features/annotate:pager.nextPage'),
    ui('features/annotate:view.bulk'),
    ui('features/annotate:view.focus'),
    ui('features/annotate:bulk.unfold'),
  ]) {
    const button = page.getByRole('button', { name })
    const at = (await button.isVisible()) ? await roundedBox(button) : null
    if (at) expect(at.x + at.width, String(name)).toBeLessThanOrEqual(width)
  }
  await page.getByRole('button', { name: uiPattern('features/annotate:pager.nextPage') }).waitFor()
  await page.getByRole('button', { name: ui('features/annotate:bulk.more') }).click()
  await page.getByRole('button', { name: ui('features/annotate:bulk.less') }).waitFor()
  await close()
})

detail('compact rows show one line per field, open one by one, and are remembered', async () => {
  const id = await seed()
  for (const size of [{}, PHONE]) {
    const { page, complaints, close } = await open(id, undefined, size)
    await expectNumbers(page, numberRange(1, 10))
    const compact = page.getByRole('button', { name: ui('features/annotate:bulk.compact') })
    await compact.click()
    await expect.poll(() => compact.getAttribute('aria-pressed')).toBe('true')
    // The second record has a long text, which also takes up only one line.
    const heights = () => cards(page).evaluateAll((all) => all.map((card) => Math.round(card.getBoundingClientRect().height)))
    await expect.poll(async () => Math.max(...(await heights()).slice(1))).toBeLessThan(60)
    expect(await findViolations(page)).toEqual([])
    await page.reload()
    await expectNumbers(page, numberRange(1, 10))
    await expect.poll(async () => Math.max(...(await heights()).slice(1))).toBeLessThan(60)
    const details = page.getByRole('button', { name: ui('features/annotate:bulk.openRecord', { place: '2' }), exact: true })
    await details.click()
    await expect.poll(async () => (await heights())[1]).toBeGreaterThan(100)
    expect((await heights())[2]).toBeLessThan(60)
    await details.click()
    await expect.poll(async () => (await heights())[1]).toBeLessThan(60)
    await cards(page).nth(2).locator('dd').first().click()
    await expectSelected(page, 1)
    expect(complaints()).toEqual([])
    await close()
  }
})
