import { beforeAll, describe, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { left } from '../ground/annotation.ts'
import { asOwner, givenDataset, givenUser, PASSWORD } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { becomes, choose } from '../support/creating.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()
beforeAll(async () => {
  await givenUser(team.server, 'adam', 'admin', [team.workspaceId])
  await givenUser(team.server, 'ann', 'annotator', [team.workspaceId])
})

const at = async (path: string, username = 'adam') => {
  const opened = await openPage(team.browser, team.server.url)
  await haveSession(opened.page, team.server.url, username, PASSWORD)
  await opened.page.goto(path)
  return opened
}

type Item = { readonly [key: string]: unknown } & { readonly id: string; readonly name: string }
const items = async (path: string): Promise<Item[]> => (await asOwner<{ items: Item[] }>(team.server, 'GET', path)).items

describe('into a dataset that exists', () => {
  test('columns go where their names say, and a required field needs one', async () => {
    const id = await givenDataset(team.server, { name: 'older', workspaceId: team.workspaceId })
    const { page, close, complaints } = await at(`/dataset/${id}/settings`)
    await page.getByRole('link', { name: ui('features/create:imports.title') }).click()
    await choose(page, 'more.csv', 'id,text,label,note\na,First.,yes,x\nb,Second.,maybe,y\n')
    await expect.poll(() => becomes(page, 'text').inputValue()).toBe('fields:text')
    await expect.poll(() => becomes(page, 'label').inputValue()).toBe('suggestions:label')
    await page.getByText(ui('features/create:check.badOfAll', { count: 1, rows: '2' })).waitFor()
    await becomes(page, 'text').selectOption('none')
    await page.getByText(ui('features/create:fault.unfilled', { fields: 'Text' })).waitFor()
    await expect
      .poll(() => page.getByRole('button', { name: ui('features/create:imports.start') }).getAttribute('aria-disabled'))
      .toBe('true')
    await becomes(page, 'note').selectOption('fields:text')
    // A part takes one column: the other one gives it up.
    await becomes(page, 'text').selectOption('fields:text')
    await expect.poll(() => becomes(page, 'note').inputValue()).toBe('none')
    await becomes(page, 'label').selectOption('none')
    await page.getByText(ui('features/create:check.all', { count: 2 })).waitFor()
    await page.getByRole('button', { name: ui('features/create:imports.start') }).click()
    await page.getByText('Done: 2 new records.').waitFor({ timeout: 120_000 })
    expect((await items(`/datasets/${id}/records`)).map(({ external_id }) => external_id)).toEqual(['a', 'b'])
    expect(complaints()).toEqual([])
    await close()
  })

  test('its own download comes back onto its records, which have no ids of their own', async () => {
    const id = await givenDataset(team.server, { name: 'returned', workspaceId: team.workspaceId, records: 2 })
    const { url, apiKey } = team.server
    const headers = { 'x-argilla-api-key': apiKey }
    const csv = await (await fetch(`${url}/api/v1/datasets/${id}/records/download?format=csv`, { headers })).text()
    const { page, close, complaints } = await at(`/dataset/${id}/import`)
    await choose(page, 'returned.csv', csv.replaceAll(ui('features/annotate:record.name'), 'Changed record'))
    await expect.poll(() => becomes(page, '_server_id').inputValue()).toBe('record')
    await expect.poll(() => becomes(page, 'text').inputValue()).toBe('fields:text')
    await page.getByText(ui('features/create:check.all', { count: 2 })).waitFor()
    await page.getByRole('button', { name: ui('features/create:imports.start') }).click()
    await page.getByText(/^Done: (0 new records, )?2 changed/).waitFor({ timeout: 120_000 })
    const texts = (await items(`/datasets/${id}/records`)).map(({ fields }) => (fields as { text: string }).text)
    expect(texts).toEqual(['Changed record 1 of returned', 'Changed record 2 of returned'])
    expect(complaints()).toEqual([])
    await close()
  })

  test('an empty one leads there from its records, and counts what came when one is back', async () => {
    const id = await givenDataset(team.server, { name: 'empty', workspaceId: team.workspaceId })
    const { page, close } = await at(`/dataset/${id}/annotation-mode`)
    const progress = page.getByRole('region', { name: ui('features/annotate:progress.name') })
    await progress.getByText('0 of 0').waitFor()
    await page.getByRole('link', { name: ui('features/create:imports.title') }).click()
    await choose(page, 'two.csv', 'id,text\na,First.\nb,Second.\n')
    await page.getByRole('button', { name: ui('features/create:imports.start') }).click()
    await page.getByRole('link', { name: ui('features/create:imports.annotate') }).click({ timeout: 120_000 })
    await progress.getByText('0 of 2').waitFor()
    await left(page, '2 left')
    await close()
  })
})

test('annotators find no way there, and are sent home from the address', async () => {
  const id = await givenDataset(team.server, { name: 'for ann', workspaceId: team.workspaceId, records: 1 })
  const { page, close } = await at('/', 'ann')
  await page.getByRole('link', { name: 'for ann' }).waitFor()
  expect(await page.getByRole('link', { name: ui('features/create:title') }).count()).toBe(0)
  for (const path of ['/new', `/new/${id}`, `/dataset/${id}/import`]) {
    await page.goto(path)
    await page.getByText(ui('common:validations.http.403.message')).first().waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  }
  await page.goto(`/dataset/${id}/settings`)
  await page.getByRole('heading', { name: ui('features/annotate:settings') }).waitFor()
  expect(await page.getByRole('link', { name: ui('features/create:imports.title') }).count()).toBe(0)
  await close()
})
