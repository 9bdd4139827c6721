import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { left, placeText } from '../ground/annotation.ts'
import { RECORDS } from '../ground/filterable.ts'
import {
  chips,
  chipTexts,
  metadata,
  openFiltering,
  openItem,
  openPanel,
  PENDING,
  panel,
  range,
  response,
  SUBMITTED,
  shows,
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
  test('by terms of metadata shows counts, applies by itself, and survives a reload with whatever is in its values', async () => {
    const { page, done } = await open()
    await left(page, PENDING)
    await openPanel(page, ui('features/annotate:filters.title'))
    const item = await openItem(page, 'Source')
    await item.getByRole('checkbox', { name: 'v1.0_rc~2' }).waitFor()
    await expect
      .poll(async () => (await item.locator('label').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')))
      .toEqual(['blog 6', 'book 6', 'v1.0_rc~2 6', 'web 6'])
    await item.getByText('v1.0_rc~2').click()
    const one = await found('pending', [terms(metadata('source'), 'v1.0_rc~2')])
    await left(page, one.length)
    await item.getByText('book').click()
    const two = await found('pending', [terms(metadata('source'), 'v1.0_rc~2', 'book')])
    expect(two.length).toBeGreaterThan(one.length)
    await left(page, two.length)
    // Where fewer are found than a number beside a value says.
    expect(await panel(page, ui('features/annotate:filters.title')).innerText()).toContain(ui('features/annotate:filters.counts'))
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => chipTexts(page)).toEqual(['Source: v1.0_rc~2 or book'])
    await page.reload()
    await expect.poll(() => chipTexts(page)).toEqual(['Source: v1.0_rc~2 or book'])
    await shows(page, two)
    await done()
  })

  test('by a range of numbers is typed or slid, and back and forward go through what was asked for', async () => {
    const { page, done } = await open()
    await openPanel(page, ui('features/annotate:filters.title'))
    const item = await openItem(page, 'Length')
    await item.getByRole('spinbutton', { name: ui('features/annotate:filters.from') }).fill('155')
    await page.keyboard.press('Escape')
    const typed = await found('pending', [range(metadata('length'), { ge: 155 })])
    await left(page, typed.length)
    await expect.poll(() => chipTexts(page)).toEqual([`Length: ${ui('features/annotate:filters.atLeast', { from: 155 })}`])
    await openPanel(page, ui('features/annotate:filters.title'))
    const slider = (await openItem(page, 'Length')).getByRole('slider', { name: ui('features/annotate:filters.to') })
    const most = async () => Number(await slider.getAttribute('aria-valuetext'))
    await expect.poll(most).toBe(240)
    // Once: of two that are far apart each would be a step of its own for the way back.
    await slider.press('PageDown')
    await expect.poll(most).toBeLessThan(240)
    const to = await most()
    const both = await found('pending', [range(metadata('length'), { ge: 155, le: to })])
    expect(both.length).toBeLessThan(typed.length)
    await left(page, both.length)
    await page.keyboard.press('Escape')
    await page.goBack()
    await left(page, typed.length)
    await expect.poll(() => chipTexts(page)).toEqual([`Length: ${ui('features/annotate:filters.atLeast', { from: 155 })}`])
    await page.goForward()
    await shows(page, both)
    await done()
  })

  test('by a range of numbers shows how they are spread, and which are asked for', async () => {
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
    expect(await violations(page)).toEqual([])
    await done()
  })

  test('whose bounds cross says so and is not applied', async () => {
    const { page, done } = await open('?status=pending&metadata=length.ge55')
    await left(page, uiPattern('features/annotate:pager.pending', { formatted: /\d+/ }))
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

  test('by answers takes labels, all of several labels, and ratings', async () => {
    const { page, done } = await open('?status=submitted')
    await left(page, placeText(1, SUBMITTED))
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
    await left(page, placeText(1, calm.length))
    const topics = await openItem(page, 'Topics')
    await topics.getByText('Price').click()
    await topics.getByText('Quality').click()
    await left(page, placeText(1, calm.length))
    await topics.getByText(ui('features/annotate:filters.allOf')).click()
    const all = await found('submitted', [
      terms(response('tone'), 'calm'),
      terms(response('topics'), 'price'),
      terms(response('topics'), 'quality'),
    ])
    expect(all.length).toBeLessThan(calm.length)
    await left(page, placeText(1, all.length))
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect
      .poll(() => chipTexts(page))
      .toEqual([`Tone · ${kind('answer')} Calm`, `Topics · ${kind('answer')} Price and Quality`])
    await shows(page, all, 'submitted')
    await page.getByRole('button', { name: ui('features/annotate:filters.reset') }).click()
    await left(page, placeText(1, SUBMITTED))
    await openPanel(page, ui('features/annotate:filters.title'))
    await (await openItem(page, 'Quality')).getByRole('spinbutton', { name: ui('features/annotate:filters.from') }).fill('4')
    await left(page, placeText(1, (await found('submitted', [range(response('quality'), { ge: 4 })])).length))
    await done()
  })

  test('by suggestions takes values, scores and agents', async () => {
    const { page, done } = await open()
    await left(page, PENDING)
    await openPanel(page, ui('features/annotate:filters.title'))
    const tone = await openItem(page, 'Tone', 1)
    await tone.getByRole('spinbutton', { name: ui('features/annotate:filters.from') }).fill('0.7')
    const sure = range(suggestion('tone', 'score'), { ge: 0.7 })
    await left(page, (await found('pending', [sure])).length)
    await tone.getByText('Calm').click()
    await tone.getByText('Angry').click()
    const said = terms(suggestion('tone', 'value'), 'calm', 'angry')
    await left(page, (await found('pending', [sure, said])).length)
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
    // Bins of 0.05 over scores that lie 1/24 apart: in most there is one.
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
    const wanted = await found('pending', [sure, said, by])
    await left(page, wanted.length)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect
      .poll(() => chipTexts(page))
      .toEqual([
        `Tone · ${kind('score')} ${ui('features/annotate:filters.atLeast', { from: 0.7 })}`,
        `Tone · ${kind('value')} Calm or Angry`,
        `Tone · ${kind('agent')} large-model`,
      ])
    await shows(page, wanted)
    await done()
  })

  test('is offered without counts while they are on their way, and where they are not to be had', async () => {
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
    await left(page, placeText(1, (await found('submitted', [terms(response('tone'), 'calm')])).length))
    expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0)
    await done()
  })

  test('is taken away at its chip, one by one, and by Reset, which leaves search and status', async () => {
    const { page, done } = await open(
      '?status=pending&search=parcel~all&metadata=source.web~length.ge150&sort=metadata.length.desc',
    )
    await expect
      .poll(() => chipTexts(page))
      .toEqual(['Source: web', `Length: ${ui('features/annotate:filters.atLeast', { from: 150 })}`])
    await page.getByRole('button', { name: ui('features/annotate:filters.remove', { filter: 'Source: web' }) }).click()
    await expect.poll(() => chipTexts(page)).toEqual([`Length: ${ui('features/annotate:filters.atLeast', { from: 150 })}`])
    await left(
      page,
      ui('features/annotate:pager.pending', {
        formatted: (await found('pending', [range(metadata('length'), { ge: 150 })])).length,
      }),
    )
    await page.getByRole('button', { name: ui('features/annotate:filters.reset') }).click()
    await left(page, PENDING)
    await expect.poll(() => chips(page).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: ui('features/annotate:filters.reset') }).count()).toBe(0)
    await expect.poll(() => new URL(page.url()).search).toBe('?page=1&status=pending&search=parcel~all')
    await done()
  })

  test('that no record fits says so, and one button gives the records back', async () => {
    const { page, done } = await open('?status=pending&metadata=length.ge900')
    await page.getByRole('heading', { name: ui('features/annotate:end.noFiltered') }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: ui('features/annotate:end.clearFilters') }).click()
    await left(page, PENDING)
    await done()
  })

  test('by what the dataset does not have is told by name, and can be taken away', async () => {
    const { page, done } = await open('?status=pending&metadata=gone.x~source.web')
    await page.getByRole('heading', { name: ui('features/annotate:refusedQuery.unknown', { names: 'gone' }) }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: ui('features/annotate:refusedQuery.removeUnknown') }).click()
    await shows(page, await found('pending', [terms(metadata('source'), 'web')]))
    await expect.poll(() => chipTexts(page)).toEqual(['Source: web'])
    await done()
  })

  test('that has no meaning for the server can be cleared', async () => {
    const { page, done } = await open('?status=pending&metadata=length.many')
    await page.getByRole('heading', { name: ui('features/annotate:refusedQuery.refused') }).waitFor()
    await page.getByRole('button', { name: ui('features/annotate:end.clearFilters') }).click()
    await left(page, PENDING)
    await done()
  })

  test('by metadata that annotators do not see is not offered to them', async () => {
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
