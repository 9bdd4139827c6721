import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ui } from '../../harness/ui-text.ts'
import { LABEL_AND_NOTE, question, storedAnswers } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { cards } from '../support/bulk.ts'

// Laying out megabytes of text takes browsers a long time, so the limit is lower than the default.
const team = setUpTeam({ POSTIL_MAX_ANSWER: '100 kB' })
const { seedRecords, open, onlyStoredAnswer } = annotationTest(team)

/** The length of a note that makes the answer exactly 300 kB, the size that the message shows. */
const LENGTH = 300_000 - JSON.stringify({ label: { value: 'yes' }, note: { value: '' } }).length
const REFUSED = ui('features/annotate:form.tooLarge', { size: '300 kB', limit: '100 kB' })
const SHORT = 'Short enough'

const note = (page: Page) => question(page, 'note').getByRole('textbox')
const paste = (page: Page): Promise<void> => note(page).fill('words '.repeat(LENGTH / 6 + 1).slice(0, LENGTH))
const lengthOf = (page: Page): Promise<number> => note(page).evaluate((box) => (box as HTMLTextAreaElement).value.length)
const button = (page: Page, action: 'submit' | 'discard' | 'saveDraft') =>
  page.getByRole('button', { name: ui(`features/annotate:action.${action}`) })
const notice = (page: Page) => page.getByRole('region', { name: ui('common:toast.region') }).getByText(REFUSED)
const answersSent = (page: Page): string[] => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (/\/responses\b/.test(request.url()) && request.method() !== 'GET') sent.push(request.method())
  })
  return sent
}

test('an answer over the server’s limit is not sent, and nothing typed is lost', async () => {
  const id = await seedRecords([{ fields: { text: 'One' } }], { questions: LABEL_AND_NOTE })
  const { page, done } = await open(id)
  const sent = answersSent(page)
  await question(page, 'label').getByText('Yes').click()
  await paste(page)
  for (const action of ['saveDraft', 'submit', 'discard'] as const) {
    await button(page, action).click()
    await notice(page).waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: REFUSED })
      .getByRole('button', { name: ui('common:action.close') })
      .click()
    expect(await lengthOf(page)).toBe(LENGTH)
  }
  expect([sent, (await storedAnswers(team.server, id)).size]).toEqual([[], 0])
  // The edits are stored on this device, so they can be shortened after a reload.
  await page.reload()
  await expect.poll(() => lengthOf(page)).toBe(LENGTH)
  await note(page).fill(SHORT)
  await button(page, 'submit').click()
  expect(await onlyStoredAnswer(id)).toMatchObject({ status: 'submitted', values: { note: SHORT } })
  await done()
})

detail('an answer over the server’s limit isn’t applied to any selected record', async () => {
  const id = await seedRecords(
    ['One', 'Two'].map((text) => ({ fields: { text } })),
    { questions: LABEL_AND_NOTE },
  )
  const { page, done } = await open(id)
  const sent = answersSent(page)
  await page.goto(`/dataset/${id}/annotation-mode?page=1~10`)
  await expect.poll(() => cards(page).count()).toBe(2)
  await page.getByRole('checkbox', { name: ui('features/annotate:bulk.selectPage') }).click()
  await question(page, 'label').getByText('Yes').click()
  await paste(page)
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 2 }) }).click()
  await notice(page).waitFor()
  expect([await lengthOf(page), await cards(page).count(), sent]).toEqual([LENGTH, 2, []])
  await note(page).fill(SHORT)
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 2 }) }).click()
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(2)
  await done()
})
