import { detail } from '@postil/testkit/detail.ts'
import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findViolations, openPage, PHONE } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { expectLeft, openAnnotation } from '../fixtures/annotation.ts'
import { RECORDS, seedFilterable } from '../fixtures/filterable.ts'
import { callAsOwner } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()
let one: string
let two: string

beforeAll(async () => {
  const { server, workspaceId } = team
  one = await seedFilterable(server, { name: 'one vector', workspaceId, vectors: ['v'] })
  two = await seedFilterable(server, { name: 'two vectors', workspaceId, vectors: ['v', 'w.2'] })
})
type Item = {
  readonly query_score: number
  readonly record: { readonly id: string; readonly fields: { readonly title: string } }
}
const search = (id: string, body: object, limit = 100) =>
  callAsOwner<{ items: Item[] }>(
    team.server,
    'POST',
    `/me/datasets/${id}/records/search?limit=${limit}`,
    body as { [key: string]: unknown },
  )

const idOf = async (dataset: string, title: string): Promise<string> => {
  const { items } = await search(dataset, {})
  const item = items.find(({ record }) => record.fields.title === title)
  if (!item) throw new Error(`no ${title}`)
  return item.record.id
}

const similarTo = async (dataset: string, title: string, vector: object) => {
  const record_id = await idOf(dataset, title)
  const { items } = await search(dataset, { query: { vector: { record_id, ...vector } } })
  return items.map(({ record, query_score }) => [record.fields.title, `${(query_score * 100).toFixed(1)}%`] as const)
}

/** Sorted by length, because the longest record has no vector and can't be the reference. */
const SHORTEST = '?status=pending&sort=metadata.length.asc'

const open = async (dataset: string, query = SHORTEST, options: Parameters<typeof openPage>[2] = {}) => {
  const { page, complaints, close } = await openPage(team.browser, team.server.url, options)
  await createSession(page, team.server.url)
  await openAnnotation(page, dataset, query)
  const shown = async () => {
    const text = (await page.locator('section[data-status]').innerText()).replace(/\s+/g, ' ')
    return [/Review \d+/.exec(text)?.[0], /\d+\.\d%/.exec(text)?.[0]]
  }
  return {
    page,
    /** The title and percentage of the current record. */
    shown,
    title: async () => (await shown())[0] ?? '',
    done: async () => {
      expect(complaints()).toEqual([])
      await close()
    },
  }
}

describe('similar records', () => {
  test('in the only vector are shown immediately, best first with percentages, even after a reload', async () => {
    const { page, shown, title, done } = await open(one)
    const reference = await title()
    await expect.poll(() => page.getByText('%').count()).toBe(0)
    await page.getByRole('button', { name: ui('features/annotate:similarity.find') }).click()
    const wanted = await similarTo(one, reference, { name: 'v' })
    expect(wanted).toHaveLength(RECORDS - 2)
    await expectLeft(page, RECORDS - 2)
    for (const expected of wanted.slice(0, 4)) {
      await expect.poll(shown).toEqual(expected)
      await page.getByRole('button', { name: uiPattern('features/annotate:pager.next') }).click()
    }
    const bar = page.getByRole('region', { name: ui('features/annotate:similarity.title') })
    await expect
      .poll(async () => (await bar.innerText()).replace(/\s+/g, ' '))
      .toContain(`Title: ${reference} Text: The parcel number 0 came late,…`)
    const compared = page.getByRole('region', { name: ui('features/annotate:similarity.reference') })
    expect(await compared.count()).toBe(0)
    const toggle = bar.getByRole('button', { name: ui('features/annotate:similarity.reference') })
    await toggle.click()
    await expect.poll(() => compared.innerText()).toMatch(/came late, \w+/)
    const height = async (one: Locator) => (await one.boundingBox())?.height ?? 0
    await expect
      .poll(async () => (await height(page.locator('section[data-status]'))) - (await height(compared)))
      .toBeGreaterThan(0)
    expect(await toggle.getAttribute('aria-expanded')).toBe('true')
    expect(await findViolations(page)).toEqual([])
    await toggle.click()
    await compared.waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('5')
    await page.reload()
    await expect.poll(shown).toEqual(wanted[4])
    await bar.getByRole('button', { name: ui('features/annotate:similarity.remove') }).click()
    await expectLeft(page, RECORDS)
    await expect.poll(async () => (await shown())[1]).toBeUndefined()
    await done()
  })

  detail('can be the least similar ones, in any number', async () => {
    const { page, shown, title, done } = await open(one)
    const reference = await title()
    const record = await idOf(one, reference)
    await openAnnotation(page, one, `?status=pending&similarity=record.${record}.vector.v.limit.200.order.most`)
    const bar = page.getByRole('region', { name: ui('features/annotate:similarity.title') })
    await bar
      .getByLabel(ui('features/annotate:similarity.order'))
      .selectOption({ label: ui('features/annotate:similarity.least') })
    const wanted = await similarTo(one, reference, { name: 'v', order: 'least_similar' })
    await expect.poll(shown).toEqual(wanted[0])
    await bar
      .getByLabel(ui('features/annotate:similarity.limit'))
      .selectOption({ label: ui('features/annotate:similarity.records', { count: 10 }) })
    await expectLeft(page, 10)
    await expect.poll(shown).toEqual(wanted[0])
    await expect
      .poll(() => new URL(page.url()).searchParams.get('similarity'))
      .toBe(`record.${record}.vector.v.limit.10.order.least`)
    await done()
  })

  detail('in one of several vectors are shown after choosing the vector', async () => {
    const { page, shown, title, done } = await open(two)
    const reference = await title()
    await page.getByRole('button', { name: ui('features/annotate:similarity.find') }).click()
    const dialog = page.getByRole('dialog', { name: ui('features/annotate:similarity.find') })
    await dialog.getByText('Vector w.2').click()
    await dialog.getByText(ui('features/annotate:similarity.choice.least')).click()
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: ui('features/annotate:similarity.apply'), exact: true }).click()
    const wanted = await similarTo(two, reference, { name: 'w.2', order: 'least_similar' })
    await expect.poll(shown).toEqual(wanted[0])
    await page
      .getByRole('region', { name: ui('features/annotate:similarity.title') })
      .getByLabel(ui('features/annotate:similarity.vector'))
      .selectOption({ label: 'Vector v' })
    await expect.poll(shown).toEqual((await similarTo(two, reference, { name: 'v', order: 'least_similar' }))[0])
    await page.reload()
    await expect.poll(shown).toEqual((await similarTo(two, reference, { name: 'v', order: 'least_similar' }))[0])
    await done()
  })

  detail('are found from the record menu on a phone', async () => {
    const { page, shown, title, done } = await open(one, SHORTEST, PHONE)
    const reference = await title()
    await page.getByRole('button', { name: ui('features/annotate:record.menu') }).tap()
    await page.getByRole('menuitem', { name: ui('features/annotate:similarity.find') }).tap()
    await expect.poll(shown).toEqual((await similarTo(one, reference, { name: 'v' }))[0])
    expect(await findViolations(page)).toEqual([])
    await done()
  })

  detail('of a record without the vector show the reason, with a way back', async () => {
    const record = await idOf(one, `Review ${RECORDS - 1}`)
    const { page, done } = await open(one, `?status=pending&similarity=record.${record}.vector.v.limit.50.order.most`)
    await page.getByText(ui('common:validations.businessLogic.missing_vector.message')).waitFor()
    await page
      .getByRole('button', { name: ui('features/annotate:similarity.remove') })
      .last()
      .click()
    await expectLeft(page, RECORDS)
    await done()
  })
})
