import { detail } from '@postil/testkit/detail.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { expectLeft, placeText } from '../fixtures/annotation.ts'
import { RECORDS } from '../fixtures/filterable.ts'
import {
  chips,
  chipTexts,
  expectShown,
  metadata,
  openFiltering,
  openItem,
  openPanel,
  PENDING,
  panel,
  range,
  response,
  SUBMITTED,
  suggestion,
  terms,
} from '../support/filtering.ts'

let filtering: Awaited<ReturnType<typeof openFiltering>>
const open = (...wanted: Parameters<typeof filtering.open>) => filtering.open(...wanted)
const found = (...wanted: Parameters<typeof filtering.found>) => filtering.found(...wanted)

beforeAll(async () => {
  filtering = await openFiltering()
})
afterAll(async () => {
  await filtering?.close()
})

const kind = (of: 'answer' | 'value' | 'score' | 'agent') => ui(`features/annotate:filters.kind.${of}`)

describe('a filter', () => {
  test('by metadata terms shows counts, applies automatically and survives a reload with any values', async () => {
    const { page, done } = await open()
    await expectLeft(page, PENDING)
    await openPanel(page, ui('features/annotate:filters.title'))
    const item = await openItem(page, 'Source')
    await item.getByRole('checkbox', { name: 'v1.0_rc~2' }).waitFor()
    await expect
      .poll(async () => (await item.locator('label').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')))
      .toEqual(['blog 6', 'book 6', 'v1.0_rc~2 6', 'web 6'])
    await item.getByText('v1.0_rc~2').click()
    const one = await found('pending', [terms(metadata('source'), 'v1.0_rc~2')])
    await expectLeft(page, one.length)
    await item.getByText('book').click()
    const two = await found('pending', [terms(metadata('source'), 'v1.0_rc~2', 'book')])
    expect(two.length).toBeGreaterThan(one.length)
    await expectLeft(page, two.length)
    // This note is shown because fewer records match than the counts next to the values suggest.
    expect(await panel(page, ui('features/annotate:filters.title')).innerText()).toContain(ui('features/annotate:filters.counts'))
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => chipTexts(page)).toEqual(['Source: v1.0_rc~2 or book'])
    await page.reload()
    await expect.poll(() => chipTexts(page)).toEqual(['Source: v1.0_rc~2 or book'])
    await expectShown(page, two)
    await done()
  })

  detail('by a numeric range is typed or dragged, and back and forward restore earlier ranges', async () => {
    const { page, done } = await open()
    await openPanel(page, ui('features/annotate:filters.title'))
    const item = await openItem(page, 'Length')
    await item.getByRole('spinbutton', { name: ui('features/annotate:filters.from') }).fill('155')
    await page.keyboard.press('Escape')
    const typed = await found('pending', [range(metadata('length'), { ge: 155 })])
    await expectLeft(page, typed.length)
    await expect.poll(() => chipTexts(page)).toEqual([`Length: ${ui('features/annotate:filters.atLeast', { from: 155 })}`])
    await openPanel(page, ui('features/annotate:filters.title'))
    const slider = (await openItem(page, 'Length')).getByRole('slider', { name: ui('features/annotate:filters.to') })
    const most = async () => Number(await slider.getAttribute('aria-valuetext'))
    await expect.poll(most).toBe(240)
    // Pressed only once: presses with a pause in between would each add a history entry.
    await slider.press('PageDown')
    await expect.poll(most).toBeLessThan(240)
    const to = await most()
    const both = await found('pending', [range(metadata('length'), { ge: 155, le: to })])
    expect(both.length).toBeLessThan(typed.length)
    await expectLeft(page, both.length)
    await page.keyboard.press('Escape')
    await page.goBack()
    await expectLeft(page, typed.length)
    await expect.poll(() => chipTexts(page)).toEqual([`Length: ${ui('features/annotate:filters.atLeast', { from: 155 })}`])
    await page.goForward()
    await expectShown(page, both)
    await done()
  })

  detail('by a numeric range shows the distribution and the selected part', async () => {
    const { page, done } = await open('?metadata=length.ge55')
    await openPanel(page, ui('features/annotate:filters.title'))
    const item = await openItem(page, 'Length')
    const most = ui('features/annotate:filters.bin.range', { count: 1, from: 10, to: 19 })
    const drawing = item.getByRole('img', { name: ui('features/annotate:filters.histogram', { title: 'Length', most }) })
    await drawing.waitFor()
    const bins = drawing.locator('g')
    await expect.poll(() => bins.locator('title').count()).toBe(RECORDS)
    await expect.poll(() => drawing.locator('g[data-on]').count()).toBe(RECORDS - 4)
    await item.getByRole('spinbutton', { name: ui('features/annotate:filters.to') }).fill('99')
    await expect.poll(() => drawing.locator('g[data-on]').count()).toBe(5)
    await (await openItem(page, 'Source')).getByRole('checkbox').first().waitFor()
    await expect.poll(() => panel(page, ui('features/annotate:filters.title')).getByRole('img').count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await done()
  })

  detail('with crossed bounds reports it and is not applied', async () => {
    const { page, done } = await open('?status=pending&metadata=length.ge55')
    await expectLeft(page, uiPattern('features/annotate:pager.pending', { formatted: /\d+/ }))
    await openPanel(page, ui('features/annotate:filters.title'))
    const item = await openItem(page, 'Length')
    await item.getByRole('spinbutton', { name: ui('features/annotate:filters.to') }).fill('20')
    await item.getByRole('alert').waitFor()
    await page.waitForTimeout(800)
    await expect.poll(() => chipTexts(page)).toEqual([`Length: ${ui('features/annotate:filters.atLeast', { from: 55 })}`])
    await item.getByRole('spinbutton', { name: ui('features/annotate:filters.to') }).fill('200')
    await expect
      .poll(() => chipTexts(page))
      .toEqual([`Length: ${ui('features/annotate:filters.between', { from: 55, to: 200 })}`])
    await expect.poll(() => item.getByRole('alert').count()).toBe(0)
    await done()
  })

  detail('by answers accepts labels, all of several labels, and ratings', async () => {
    const { page, done } = await open('?status=submitted')
    await expectLeft(page, placeText(1, SUBMITTED))
    await openPanel(page, ui('features/annotate:filters.title'))
    const counts = (await openItem(page, 'Tone')).locator('label')
    await expect
      .poll(async () => (await counts.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')))
      .toEqual(['Calm 3', 'Neutral 0', 'Angry 9'])
    const most = ui('features/annotate:filters.bin.one', { count: 3, value: 1 })
    await (await openItem(page, 'Quality'))
      .getByRole('img', { name: ui('features/annotate:filters.histogram', { title: 'Quality', most }), exact: true })
      .waitFor()
    await (await openItem(page, 'Tone')).getByText('Calm').click()
    const calm = await found('submitted', [terms(response('tone'), 'calm')])
    await expectLeft(page, placeText(1, calm.length))
    const topics = await openItem(page, 'Topics')
    await topics.getByText('Price').click()
    await topics.getByText('Quality').click()
    await expectLeft(page, placeText(1, calm.length))
    await topics.getByText(ui('features/annotate:filters.allOf')).click()
    const all = await found('submitted', [
      terms(response('tone'), 'calm'),
      terms(response('topics'), 'price'),
      terms(response('topics'), 'quality'),
    ])
    expect(all.length).toBeLessThan(calm.length)
    await expectLeft(page, placeText(1, all.length))
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect
      .poll(() => chipTexts(page))
      .toEqual([`Tone · ${kind('answer')} Calm`, `Topics · ${kind('answer')} Price and Quality`])
    await expectShown(page, all, 'submitted')
    await page.getByRole('button', { name: ui('features/annotate:filters.reset') }).click()
    await expectLeft(page, placeText(1, SUBMITTED))
    await openPanel(page, ui('features/annotate:filters.title'))
    await (await openItem(page, 'Quality')).getByRole('spinbutton', { name: ui('features/annotate:filters.from') }).fill('4')
    await expectLeft(page, placeText(1, (await found('submitted', [range(response('quality'), { ge: 4 })])).length))
    await done()
  })

  detail('by suggestions accepts values, scores and agents', async () => {
    const { page, done } = await open()
    await expectLeft(page, PENDING)
    await openPanel(page, ui('features/annotate:filters.title'))
    const tone = await openItem(page, 'Tone', 1)
    await tone.getByRole('spinbutton', { name: ui('features/annotate:filters.from') }).fill('0.7')
    const sure = range(suggestion('tone', 'score'), { ge: 0.7 })
    await expectLeft(page, (await found('pending', [sure])).length)
    await tone.getByText('Calm').click()
    await tone.getByText('Angry').click()
    const announced = terms(suggestion('tone', 'value'), 'calm', 'angry')
    await expectLeft(page, (await found('pending', [sure, announced])).length)
    const lines = async (group: string) => {
      const texts = await tone.getByRole('group', { name: group, exact: true }).locator('label').allInnerTexts()
      return texts.map((text) => text.replace(/\s+/g, ' '))
    }
    await expect
      .poll(() => lines(ui('features/annotate:filters.suggestionKind.agent')))
      .toEqual(['large-model 12', 'tiny-model 12'])
    await expect
      .poll(() => lines(ui('features/annotate:filters.suggestionKind.value')))
      .toEqual(['Calm 8', 'Neutral 8', 'Angry 8'])
    // The bins are 0.05 wide and the scores are 1/24 apart, so most bins contain one score.
    const drawing = tone.getByRole('img', {
      name: ui('features/annotate:filters.histogram', {
        title: ui('features/annotate:filters.suggestionKind.score'),
        most: ui('features/annotate:filters.bin.range', { count: 2, from: 0, to: 0.05 }),
      }),
    })
    await expect.poll(() => drawing.locator('g').count()).toBe(20)
    await expect.poll(() => drawing.locator('g[data-on]').count()).toBeLessThan(8)
    await tone.getByText('large-model').click()
    const by = terms(suggestion('tone', 'agent'), 'large-model')
    const wanted = await found('pending', [sure, announced, by])
    await expectLeft(page, wanted.length)
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect
      .poll(() => chipTexts(page))
      .toEqual([
        `Tone · ${kind('score')} ${ui('features/annotate:filters.atLeast', { from: 0.7 })}`,
        `Tone · ${kind('value')} Calm or Angry`,
        `Tone · ${kind('agent')} large-model`,
      ])
    await expectShown(page, wanted)
    await done()
  })

  detail('is offered without counts while they load or if they are unavailable', async () => {
    const { page, done } = await open('?status=submitted')
    await page.route(/\/questions\/[^/]+\/(suggestions|responses)\/metrics/, (route) =>
      route.fulfill({ status: 403, contentType: 'application/json', body: '{"detail":"not now"}' }),
    )
    await openPanel(page, ui('features/annotate:filters.title'))
    for (const number of [0, 1]) {
      const item = await openItem(page, 'Tone', number)
      await item.getByRole('checkbox', { name: 'Calm', exact: true }).waitFor()
      await page.waitForLoadState('networkidle')
      expect(await item.locator('label').first().innerText()).toBe('Calm')
      expect(await item.getByRole('img').count()).toBe(0)
      expect(await item.getByRole('alert').count()).toBe(0)
    }
    await (await openItem(page, 'Tone')).getByText('Calm').click()
    await expectLeft(page, placeText(1, (await found('submitted', [terms(response('tone'), 'calm')])).length))
    expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0)
    await done()
  })

  detail('is removed at its chip, one at a time, or by Reset, which keeps search and status', async () => {
    const { page, done } = await open(
      '?status=pending&search=parcel~all&metadata=source.web~length.ge150&sort=metadata.length.desc',
    )
    await expect
      .poll(() => chipTexts(page))
      .toEqual(['Source: web', `Length: ${ui('features/annotate:filters.atLeast', { from: 150 })}`])
    await page.getByRole('button', { name: ui('features/annotate:filters.remove', { filter: 'Source: web' }) }).click()
    await expect.poll(() => chipTexts(page)).toEqual([`Length: ${ui('features/annotate:filters.atLeast', { from: 150 })}`])
    await expectLeft(page, (await found('pending', [range(metadata('length'), { ge: 150 })])).length)
    await page.getByRole('button', { name: ui('features/annotate:filters.reset') }).click()
    await expectLeft(page, PENDING)
    await expect.poll(() => chips(page).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: ui('features/annotate:filters.reset') }).count()).toBe(0)
    await expect.poll(() => new URL(page.url()).search).toBe('?page=1&status=pending&search=parcel~all')
    await done()
  })

  test('that matches no record says so, and one button shows the records again', async () => {
    const { page, done } = await open('?status=pending&metadata=length.ge900')
    await page.getByRole('heading', { name: ui('features/annotate:end.noFiltered') }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: ui('features/annotate:end.clearFilters') }).click()
    await expectLeft(page, PENDING)
    await done()
  })

  detail('by something that the dataset lacks is reported by name and can be removed', async () => {
    const { page, done } = await open('?status=pending&metadata=gone.x~source.web')
    await page
      .getByRole('heading', { name: ui('features/annotate:rejectedQuery.unknown', { count: 1, names: 'gone' }) })
      .waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: ui('features/annotate:rejectedQuery.removeUnknown', { count: 1 }) }).click()
    await expectShown(page, await found('pending', [terms(metadata('source'), 'web')]))
    await expect.poll(() => chipTexts(page)).toEqual(['Source: web'])
    await done()
  })

  detail('that the server does not understand can be cleared', async () => {
    const { page, done } = await open('?status=pending&metadata=length.many')
    await page.getByRole('heading', { name: ui('features/annotate:rejectedQuery.rejected') }).waitFor()
    await page.getByRole('button', { name: ui('features/annotate:end.clearFilters') }).click()
    await expectLeft(page, PENDING)
    await done()
  })

  detail('by metadata hidden from annotators is not offered to them', async () => {
    const { page, done } = await open('', {}, 'ann')
    await openPanel(page, ui('features/annotate:filters.title'))
    await (await openItem(page, 'Source')).getByRole('checkbox').first().waitFor()
    const names = await panel(page, ui('features/annotate:filters.title'))
      .getByRole('region', { name: ui('features/annotate:filters.group.metadata') })
      .getByRole('heading', { level: 3 })
      .allInnerTexts()
    expect(names).toEqual(['Source', 'Length', 'Share of numbers'])
    await done()
  })
})

detail('a search without results says how to combine words', async () => {
  const { page, done } = await open('?search=parcel nowhere~all')
  await page.getByText(ui('features/annotate:end.noMatchHint')).waitFor()
  const search = page.getByRole('textbox', { name: ui('features/annotate:toolbar.searchRecords') })
  for (const words of ['parcel AND nowhere', 'NOT parcel', 'nowhere OR (parcel)']) {
    await search.fill(words)
    await search.press('Enter')
    await page.getByText(ui('features/annotate:end.noMatch', { query: words })).waitFor()
    await page.getByText(ui('features/annotate:end.operatorsHint')).waitFor()
  }
  expect(await findViolations(page)).toEqual([])
  await done()
})
