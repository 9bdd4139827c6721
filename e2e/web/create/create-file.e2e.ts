import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findViolations, openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, PASSWORD, seedDataset, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { choose, chooseRole, importEnded } from '../support/creation-form.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()
beforeAll(async () => {
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
  await seedUser(team.server, 'bea', 'admin', [team.workspaceId])
})

const at = async (path: string, options = {}, username = 'adam') => {
  const opened = await openPage(team.browser, team.server.url, options)
  await createSession(opened.page, team.server.url, username, PASSWORD)
  await opened.page.goto(path)
  return opened
}
type Item = { readonly [key: string]: unknown } & { readonly id: string; readonly name: string }
const items = async (path: string): Promise<Item[]> => (await callAsOwner<{ items: Item[] }>(team.server, 'GET', path)).items
const idIn = (page: Page): string => /dataset\/([^/]+)\//.exec(page.url())?.[1] ?? ''
const preview = (page: Page) => page.getByRole('region', { name: ui('features/create:preview.title') })
const create = (page: Page, name = ui('features/create:bar.createAndImport')) => page.getByRole('button', { name }).click()
const withQuestion = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: ui('features/create:questions.add') }).click()
  await page.getByRole('menuitem', { name: ui('question-types/text:name') }).click()
}

describe('values in a file', () => {
  test('keep all digits of large numbers, and duplicate IDs are reported before anything is created', async () => {
    const { page, close, complaints } = await at('/new', { viewport: { width: 1440, height: 900 } })
    const long = ['1234567890123456789', '1234567890123456788', '9007199254740993', '9007199254740993']
    // Enough text to make the preview taller than the window.
    const words = (i: number) => `user ${i} ${'and so on '.repeat(400)}`
    await choose(page, 'long.csv', `tweet,user\n${long.map((one, i) => `${one},${words(i)}`).join('\n')}\n`)
    await chooseRole(page, 'tweet').waitFor()
    await withQuestion(page)
    await expect.poll(() => chooseRole(page, 'tweet').inputValue()).toBe('metadata')
    const property = page.getByRole('listitem', { name: 'tweet', exact: true })
    expect(await property.getByRole('combobox', { name: ui('features/create:part.type') }).inputValue()).toBe('terms')
    await preview(page).getByText('user 0').waitFor()
    const good = page.getByText(ui('features/create:check.all', { count: 4 }))
    await good.waitFor()
    // The result is visible without scrolling.
    const bottom = async () => {
      const box = await good.boundingBox()
      return (box?.y ?? 9999) + (box?.height ?? 0)
    }
    await expect.poll(bottom).toBeLessThan(900)
    await property.getByRole('combobox', { name: ui('features/create:part.type') }).selectOption('float')
    await page.getByText(ui('features/create:check.badOfAll', { count: 4, rows: '4' })).waitFor()
    await chooseRole(page, 'tweet').selectOption('id')
    await page.getByText(ui('features/create:check.badOfAll', { count: 1, rows: '4' })).waitFor()
    await page.getByText(ui('features/jobs:reason.idRepeated', { id: '"9007199254740993"', row: 3 })).waitFor()
    expect(await findViolations(page, 'all')).toEqual([])
    await create(page)
    await page.getByText(importEnded({ created: 3, failed: 1 })).waitFor()
    const records = await items(`/datasets/${idIn(page)}/records`)
    expect(records.map(({ external_id, fields }) => [external_id, fields])).toEqual(
      long.slice(0, 3).map((one, i) => [one, { user: words(i) }]),
    )
    expect(complaints()).toEqual([])
    await close()
  })

  detail('in an ID column with gaps still identify their records', async () => {
    const id = await seedDataset(team.server, { name: 'with gaps', workspaceId: team.workspaceId })
    const { page, close } = await at(`/dataset/${id}/import`)
    await choose(page, 'gaps.csv', 'id,text\na,First.\n,Second.\nc,Third.\n')
    await expect.poll(() => chooseRole(page, 'id').inputValue()).toBe('id')
    await page.getByText(ui('features/create:check.all', { count: 3 })).waitFor()
    await page.getByText(ui('features/create:check.withoutId')).waitFor()
    await page.getByRole('button', { name: ui('features/create:imports.start') }).click()
    await page.getByText(importEnded({ created: 3 })).waitFor()
    expect((await items(`/datasets/${id}/records`)).map(({ external_id }) => external_id)).toEqual(['a', 'gaps_2', 'c'])
    await close()
  })
})

describe('a draft created from a file', () => {
  const reviews = 'review,more\nArrived late.,a\nWorks.,b\n'
  const requireQuestion = (page: Page, name: string) => page.getByText(ui('features/create:file.awaited', { name }))
  const save = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: ui('features/create:bar.save') }).click()
    await page.waitForURL(/\/new\/[0-9a-f-]{36}$/)
  }

  detail('restores the file and its columns while the server stores it', async () => {
    const { page, close, complaints } = await at('/new')
    await choose(page, 'kept.csv', `id,${reviews.replaceAll('\n', '\n1,').slice(0, -2)}`)
    await chooseRole(page, 'review').waitFor()
    await chooseRole(page, 'more').selectOption('none')
    await withQuestion(page)
    await save(page)
    await page.reload()
    await preview(page).getByText('Arrived late.').waitFor()
    expect(await chooseRole(page, 'more').inputValue()).toBe('none')
    expect(await requireQuestion(page, 'kept.csv').count()).toBe(0)
    await page.getByRole('link', { name: ui('common:nav.home') }).click()
    await page.waitForURL(/\/$/)
    await page.goBack()
    await preview(page).getByText('Arrived late.').waitFor()
    await create(page)
    await page.getByText(importEnded({ created: 2 })).waitFor()
    expect(complaints()).toEqual([])
    await close()
  })

  detail('asks for a missing file by name, and says so if it is left out', async () => {
    const made = await at('/new')
    await choose(made.page, 'reviews.csv', reviews)
    await chooseRole(made.page, 'review').waitFor()
    const field = made.page.getByRole('listitem', { name: 'review', exact: true })
    await field.getByRole('textbox', { name: ui('features/create:part.name') }).fill('text')
    await withQuestion(made.page)
    await save(made.page)
    // An uploaded file belongs to the person who uploaded it.
    const { page, close } = await at(made.page.url(), {}, 'bea')
    await made.close()
    const ask = requireQuestion(page, 'reviews.csv')
    await ask.waitFor()
    expect(await findViolations(page, 'all')).toEqual([])
    // If a draft is saved while its file is missing, the draft keeps its reference to the file.
    await page.getByRole('textbox', { name: ui('features/create:work.guidelines') }).fill('Read first.')
    await page.getByRole('button', { name: ui('features/create:bar.saveAgain') }).click()
    await page.getByText(ui('features/create:bar.saved')).waitFor()
    await expect
      .poll(async () => (await items('/me/datasets')).find(({ name }) => name === 'reviews')?.['guidelines'])
      .toBe('Read first.')
    await page.reload()
    await ask.waitFor()
    await page.getByRole('button', { name: ui('features/create:bar.createEmpty') }).waitFor()
    await choose(page, 'reviews.csv', reviews)
    await preview(page).getByText('Arrived late.').waitFor()
    await expect.poll(() => ask.count()).toBe(0)
    // A column is matched with the part that was created from it, even if the part was renamed.
    await expect.poll(() => chooseRole(page, 'review').inputValue()).toBe('field')
    // The preview of one file must not show up for the next one, which has other columns.
    await page.getByRole('button', { name: ui('features/create:file.remove') }).click()
    await page.getByText(ui('features/create:file.none')).waitFor()
    await choose(page, 'letters.csv', 'letter\nDear Ada\nDear Bob\n')
    await chooseRole(page, 'letter').waitFor()
    await page.waitForTimeout(600)
    expect(await preview(page).getByText('Arrived late.').count()).toBe(0)
    await page.getByRole('button', { name: ui('features/create:file.remove') }).click()
    // A draft without a file doesn't ask for one.
    await page.getByRole('button', { name: ui('features/create:bar.saveAgain') }).click()
    await page.getByText(ui('features/create:bar.saved')).waitFor()
    await page.reload()
    await page.getByText(ui('features/create:file.none')).waitFor()
    await create(page, ui('features/create:bar.create'))
    await page.waitForURL(/\/import$/)
    await close()
  })
})
