import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openPage, violations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { asOwner, givenDataset, givenUser, PASSWORD } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { becomes, choose } from '../support/creating.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()
beforeAll(async () => {
  await givenUser(team.server, 'adam', 'admin', [team.workspaceId])
  await givenUser(team.server, 'bea', 'admin', [team.workspaceId])
})

const at = async (path: string, options = {}, username = 'adam') => {
  const opened = await openPage(team.browser, team.server.url, options)
  await haveSession(opened.page, team.server.url, username, PASSWORD)
  await opened.page.goto(path)
  return opened
}
type Item = { readonly [key: string]: unknown } & { readonly id: string; readonly name: string }
const items = async (path: string): Promise<Item[]> => (await asOwner<{ items: Item[] }>(team.server, 'GET', path)).items
const idIn = (page: Page): string => /dataset\/([^/]+)\//.exec(page.url())?.[1] ?? ''
const preview = (page: Page) => page.getByRole('region', { name: ui('features/create:preview.title') })
const create = (page: Page, name = ui('features/create:bar.createAndImport')) => page.getByRole('button', { name }).click()
const withQuestion = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: ui('features/create:questions.add') }).click()
  await page.getByRole('menuitem', { name: 'Text' }).click()
}

describe('what a file says is not lost', () => {
  test('numbers that are too great keep their digits, and ids that repeat are told before anything is made', async () => {
    const { page, close, complaints } = await at('/new', { viewport: { width: 1440, height: 900 } })
    const long = ['1234567890123456789', '1234567890123456788', '9007199254740993', '9007199254740993']
    // So much that the preview is higher than the window.
    const words = (i: number) => `user ${i} ${'and so on '.repeat(400)}`
    await choose(page, 'long.csv', `tweet,user\n${long.map((one, i) => `${one},${words(i)}`).join('\n')}\n`)
    await becomes(page, 'tweet').waitFor()
    await withQuestion(page)
    await expect.poll(() => becomes(page, 'tweet').inputValue()).toBe('metadata')
    const property = page.getByRole('listitem', { name: 'tweet', exact: true })
    expect(await property.getByRole('combobox', { name: ui('features/create:part.type') }).inputValue()).toBe('terms')
    await preview(page).getByText('user 0').waitFor()
    const good = page.getByText(ui('features/create:check.all', { count: 4 }))
    await good.waitFor()
    // It is seen without scrolling.
    const bottom = async () => {
      const box = await good.boundingBox()
      return (box?.y ?? 9999) + (box?.height ?? 0)
    }
    await expect.poll(bottom).toBeLessThan(900)
    await property.getByRole('combobox', { name: ui('features/create:part.type') }).selectOption('float')
    await page.getByText(ui('features/create:check.badOfAll', { count: 4, rows: '4' })).waitFor()
    await becomes(page, 'tweet').selectOption('id')
    await page.getByText(ui('features/create:check.badOfAll', { count: 1, rows: '4' })).waitFor()
    await page.getByText(ui('features/jobs:reason.idRepeated', { id: '"9007199254740993"', row: '3' })).waitFor()
    expect(await violations(page, 'all')).toEqual([])
    await create(page)
    await page.getByText('Done: 3 new records, 1 row left out.').waitFor()
    const records = await items(`/datasets/${idIn(page)}/records`)
    expect(records.map(({ external_id, fields }) => [external_id, fields])).toEqual(
      long.slice(0, 3).map((one, i) => [one, { user: words(i) }]),
    )
    expect(complaints()).toEqual([])
    await close()
  })

  test('a column of ids with a gap still names the records that there are', async () => {
    const id = await givenDataset(team.server, { name: 'with gaps', workspaceId: team.workspaceId })
    const { page, close } = await at(`/dataset/${id}/import`)
    await choose(page, 'gaps.csv', 'id,text\na,First.\n,Second.\nc,Third.\n')
    await expect.poll(() => becomes(page, 'id').inputValue()).toBe('id')
    await page.getByText(ui('features/create:check.all', { count: 3 })).waitFor()
    await page.getByText('rows without an id become new records', { exact: false }).waitFor()
    await page.getByRole('button', { name: ui('features/create:imports.start') }).click()
    await page.getByText('Done: 3 new records.').waitFor()
    expect((await items(`/datasets/${id}/records`)).map(({ external_id }) => external_id)).toEqual(['a', 'gaps_2', 'c'])
    await close()
  })
})

describe('a draft that was made of a file', () => {
  const reviews = 'review,more\nArrived late.,a\nWorks.,b\n'
  const askFor = (page: Page, name: string) => page.getByText(ui('features/create:file.awaited', { name }))
  const save = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: ui('features/create:bar.save') }).click()
    await page.waitForURL(/\/new\/[0-9a-f-]{36}$/)
  }

  test('has it again as long as the server keeps it, and as its columns were', async () => {
    const { page, close, complaints } = await at('/new')
    await choose(page, 'kept.csv', `id,${reviews.replaceAll('\n', '\n1,').slice(0, -2)}`)
    await becomes(page, 'review').waitFor()
    await becomes(page, 'more').selectOption('none')
    await withQuestion(page)
    await save(page)
    await page.reload()
    await preview(page).getByText('Arrived late.').waitFor()
    expect(await becomes(page, 'more').inputValue()).toBe('none')
    expect(await askFor(page, 'kept.csv').count()).toBe(0)
    // Nothing was changed, so leaving asks nothing.
    await page.getByRole('link', { name: ui('common:nav.home') }).click()
    await page.waitForURL(/\/$/)
    await page.goBack()
    await preview(page).getByText('Arrived late.').waitFor()
    await create(page)
    await page.getByText('Done: 2 new records').waitFor()
    expect(complaints()).toEqual([])
    await close()
  })

  test('asks for it by its name where it is not to be had, and says so where it is done without', async () => {
    const made = await at('/new')
    await choose(made.page, 'reviews.csv', reviews)
    await becomes(made.page, 'review').waitFor()
    const field = made.page.getByRole('listitem', { name: 'review', exact: true })
    await field.getByRole('textbox', { name: ui('features/create:part.name') }).fill('text')
    await withQuestion(made.page)
    await save(made.page)
    // A file that was sent is its sender's alone.
    const { page, close } = await at(made.page.url(), {}, 'bea')
    await made.close()
    const ask = askFor(page, 'reviews.csv')
    await ask.waitFor()
    expect(await violations(page, 'all')).toEqual([])
    // What is saved without the file still knows it.
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
    // A column finds the part that was made of it, whatever that is called.
    await expect.poll(() => becomes(page, 'review').inputValue()).toBe('field')
    // The records of the one file are not those of the next, whose columns are others.
    await page.getByRole('button', { name: ui('features/create:file.remove') }).click()
    await page.getByText(ui('features/create:file.none')).waitFor()
    await choose(page, 'letters.csv', 'letter\nDear Ada\nDear Bob\n')
    await becomes(page, 'letter').waitFor()
    await page.waitForTimeout(600)
    expect(await preview(page).getByText('Arrived late.').count()).toBe(0)
    await page.getByRole('button', { name: ui('features/create:file.remove') }).click()
    // What is of no file any more asks for none.
    await page.getByRole('button', { name: ui('features/create:bar.saveAgain') }).click()
    await page.getByText(ui('features/create:bar.saved')).waitFor()
    await page.reload()
    await page.getByText(ui('features/create:file.none')).waitFor()
    await create(page, ui('features/create:bar.create'))
    await page.waitForURL(/\/import$/)
    await close()
  })
})
