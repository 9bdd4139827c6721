import { expect, test } from 'vitest'
import { openPage, PHONE } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { expectLeft, LABEL_AND_NOTE, rangeText, seedAnnotationDataset, storedAnswers } from '../fixtures/annotation.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { cards, expectSelected, focusCheckbox } from '../support/bulk.ts'
import { createSession } from '../support/sign-in.ts'
import { stableBox } from '../support/stable-box.ts'

const team = setUpSharedTeam()

test('the next of the largest pages is prefetched, before and after moving to it', async () => {
  const count = 1030
  const id = await seedAnnotationDataset(team.server, {
    name: 'large pages',
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    records: Array.from({ length: count }, (_, i) => ({ fields: { text: `Record ${i + 1}` } })),
  })
  const { page, complaints, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400 && answer.url().includes(id)) refused.push(`${answer.status()} ${answer.url()}`)
  })
  const ids = () => cards(page).evaluateAll((all) => all.map((card) => card.getAttribute('data-record')))
  const ahead = page.waitForResponse((answer) => /records\/search\?offset=(?!0&)/.test(answer.url()))
  await page.goto(`/dataset/${id}/annotation-mode?page=1~1000`)
  await expectLeft(page, rangeText(1, 1_000, 1_030))
  expect((await ahead).status()).toBe(200)
  const seen = new Set(await ids())
  await page.getByRole('button', { name: uiPattern('features/annotate:pager.nextPage') }).click()
  await expectLeft(page, rangeText(1_001, 1_030, 1_030))
  await page.locator('[data-question="label"]').waitFor()
  await expect.poll(() => cards(page).count()).toBe(30)
  for (const one of await ids()) seen.add(one)
  expect(seen.size).toBe(count)
  await page.getByRole('button', { name: uiPattern('features/annotate:pager.previousPage') }).click()
  await expectLeft(page, rangeText(1, 1_000, 1_030))
  expect(refused).toEqual([])
  expect(complaints()).toEqual([])
  await close()
})

test('a page size from a link is kept, other statuses are shown one at a time, and large selections need confirmation', async () => {
  const id = await seedAnnotationDataset(team.server, {
    name: 'page size',
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    records: Array.from({ length: 112 }, (_, i) => ({ fields: { text: `Record ${i + 1}.` } })),
  })
  const { page, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
  await page.goto(`/dataset/${id}/annotation-mode?page=1~111`)
  await expect.poll(() => cards(page).count()).toBe(111)
  await focusCheckbox(page)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  const dialog = page.getByRole('dialog', { name: ui('features/annotate:bulk.confirm.discarded', { count: 111 }) })
  await dialog.getByRole('button', { name: ui('features/annotate:bulk.cancel') }).click()
  await expectSelected(page, 111)
  await focusCheckbox(page)
  await page.keyboard.press('Backspace')
  await dialog.getByRole('button', { name: ui('features/annotate:action.discard') }).click()
  await expect.poll(() => cards(page).allTextContents()).toEqual([expect.stringContaining('Record 112.')])
  await expect.poll(async () => (await storedAnswers(team.server, id)).size, { timeout: 120_000 }).toBe(111)
  await page.goto(`/dataset/${id}/annotation-mode?page=5~10&status=discarded`)
  await page.getByText('Record 5.').waitFor()
  expect(await page.getByRole('button', { name: ui('features/annotate:view.bulk') }).count()).toBe(0)
  await close()
})

test('a refusal unrelated to filters is not reported as a filter problem', async () => {
  const id = await seedAnnotationDataset(team.server, {
    name: 'refused pages',
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    records: [{ fields: { text: 'Record 1' } }],
  })
  const { page, context, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
  const errors = [{ type: 'less_than_equal', loc: ['query', 'limit'], msg: 'Input should be less than or equal to 1000' }]
  await context.route(/records\/search/, (route) =>
    route.fulfill({ status: 422, json: { detail: { code: 'argilla.api.errors::ValidationError', params: { errors } } } }),
  )
  await page.goto(`/dataset/${id}/annotation-mode?page=1~10`)
  await page.getByRole('heading', { name: ui('features/annotate:end.failed') }).waitFor()
  expect(await page.getByText(ui('features/annotate:rejectedQuery.rejected')).count()).toBe(0)
  expect(await page.getByRole('button', { name: ui('features/annotate:end.clearFilters') }).count()).toBe(0)
  await context.unroute(/records\/search/)
  await page.getByRole('button', { name: ui('features/annotate:end.again') }).click()
  await expectLeft(page, rangeText(1, 1, 1))
  await close()
})

test('suggestions for a record are readable in full: each item with its score, and a long text once it is opened', async () => {
  const options = ['First', 'Second', 'Third', 'Fourth'].map((text) => ({ value: text.toLowerCase(), text }))
  const word = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'
  const text = `${'A sentence of the suggestion. '.repeat(60)}The end.`
  const id = await seedAnnotationDataset(team.server, {
    name: 'suggested in bulk',
    workspaceId: team.workspaceId,
    questions: {
      order: { title: 'Order', required: true, settings: { type: 'ranking', options } },
      topics: { title: word, required: false, settings: { type: 'multi_label_selection', options } },
      note: { title: 'Note', required: false, settings: { type: 'text', use_markdown: false } },
    },
    records: [
      {
        fields: { text: 'A record' },
        suggestions: {
          order: {
            value: options.map(({ value }, index) => ({ value, rank: index + 1 })),
            score: [0.9, 0.8, 0.7, 0.6],
            agent: 'ranker',
          },
          topics: { value: ['second', 'fourth'], score: [0.4, 0.3], agent: 'tagger' },
          note: { value: text, score: 0.5, agent: 'writer' },
        },
      },
    ],
  })
  const { page, complaints, close } = await openPage(team.browser, team.server.url, PHONE)
  await createSession(page, team.server.url)
  await page.goto(`/dataset/${id}/annotation-mode?page=1~10`)
  const suggestion = (title: string) => page.locator('li[data-record] dl > div').filter({ hasText: title })
  await expect
    .poll(() => suggestion('Order').innerText())
    .toMatch(/First\s+0\.9\s.*Second\s+0\.8\s.*Third\s+0\.7\s.*Fourth\s+0\.6\s.*ranker/s)
  await expect.poll(() => suggestion(word).innerText()).toMatch(/Second\s+0\.4\s+Fourth\s+0\.3\s+tagger/)
  /** Whether the words are fully visible on the card. */
  const isSeen = (words: string) =>
    page.locator('li[data-record]').evaluate((card, wanted) => {
      const walk = document.createTreeWalker(card, NodeFilter.SHOW_TEXT)
      while (walk.nextNode()) {
        const node = walk.currentNode as Text
        const at = node.data.lastIndexOf(wanted)
        if (at < 0) continue
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + wanted.length)
        const { bottom } = range.getBoundingClientRect()
        for (let around = node.parentElement; around && around !== card; around = around.parentElement) {
          if (getComputedStyle(around).overflowY !== 'visible' && around.getBoundingClientRect().bottom < bottom) return false
        }
        return true
      }
      throw new Error(`no “${wanted}”`)
    }, words)
  await expect.poll(() => isSeen('Fourth')).toBe(true)
  await expect.poll(() => isSeen('writer')).toBe(true)
  await expect.poll(() => isSeen('The end.')).toBe(false)
  await suggestion('Note')
    .getByRole('button', { name: ui('features/annotate:bulk.more') })
    .click()
  await expect.poll(() => isSeen('The end.')).toBe(true)
  // A long word in a title widens its column.
  const [title, value] = [await stableBox(suggestion(word).locator('dt bdi')), await stableBox(suggestion(word).locator('dd'))]
  expect(title.x + title.width).toBeLessThanOrEqual(value.x)
  expect(complaints()).toEqual([])
  await close()
})
