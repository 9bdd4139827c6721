import { detail } from '@postil/testkit/detail.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { expectLeft, teamProgressText } from '../fixtures/annotation.ts'
import { callAsOwner, PASSWORD, seedDataset, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { choose, chooseRole, importEnded } from '../support/creation-form.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()
beforeAll(async () => {
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
  await seedUser(team.server, 'ann', 'annotator', [team.workspaceId])
})

const at = async (path: string, username = 'adam') => {
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url, username, PASSWORD)
  await opened.page.goto(path)
  return opened
}

type Item = { readonly [key: string]: unknown } & { readonly id: string; readonly name: string }
const items = async (path: string): Promise<Item[]> => (await callAsOwner<{ items: Item[] }>(team.server, 'GET', path)).items

describe('into an existing dataset', () => {
  test('columns are matched by name, and a required field needs one', async () => {
    const id = await seedDataset(team.server, { name: 'older', workspaceId: team.workspaceId })
    const { page, close, complaints } = await at(`/dataset/${id}/settings`)
    await page.getByRole('link', { name: ui('features/settings:importRecords') }).click()
    await choose(page, 'more.csv', 'id,text,label,note\na,First.,yes,x\nb,Second.,maybe,y\n')
    await expect.poll(() => chooseRole(page, 'text').inputValue()).toBe('fields:text')
    await expect.poll(() => chooseRole(page, 'label').inputValue()).toBe('suggestions:label')
    await page.getByText(ui('features/create:check.badOfAll', { count: 1, rows: '2' })).waitFor()
    await chooseRole(page, 'text').selectOption('none')
    await page.getByText(ui('features/create:fault.unfilled', { fields: 'Text' })).waitFor()
    await expect
      .poll(() => page.getByRole('button', { name: ui('features/create:imports.start') }).getAttribute('aria-disabled'))
      .toBe('true')
    await chooseRole(page, 'note').selectOption('fields:text')
    // A part can be mapped to only one column. Choosing another column for it frees the first one.
    await chooseRole(page, 'text').selectOption('fields:text')
    await expect.poll(() => chooseRole(page, 'note').inputValue()).toBe('none')
    await chooseRole(page, 'label').selectOption('none')
    await page.getByText(ui('features/create:check.all', { count: 2 })).waitFor()
    await page.getByRole('button', { name: ui('features/create:imports.start') }).click()
    await page.getByText(importEnded({ created: 2 })).waitFor({ timeout: 120_000 })
    expect((await items(`/datasets/${id}/records`)).map(({ external_id }) => external_id)).toEqual(['a', 'b'])
    expect(complaints()).toEqual([])
    await close()
  })

  detail('its own download updates its records, which have no external IDs', async () => {
    const id = await seedDataset(team.server, { name: 'returned', workspaceId: team.workspaceId, records: 2 })
    const { url, apiKey } = team.server
    const headers = { 'x-argilla-api-key': apiKey }
    const csv = await (await fetch(`${url}/api/v1/datasets/${id}/records/download?format=csv`, { headers })).text()
    const { page, close, complaints } = await at(`/dataset/${id}/import`)
    await choose(page, 'returned.csv', csv.replaceAll('Record', 'Changed record'))
    await expect.poll(() => chooseRole(page, '_server_id').inputValue()).toBe('record')
    await expect.poll(() => chooseRole(page, 'text').inputValue()).toBe('fields:text')
    await page.getByText(ui('features/create:check.all', { count: 2 })).waitFor()
    await page.getByRole('button', { name: ui('features/create:imports.start') }).click()
    await page.getByText(importEnded({ created: 0, updated: 2 })).waitFor({ timeout: 120_000 })
    const texts = (await items(`/datasets/${id}/records`)).map(({ fields }) => (fields as { text: string }).text)
    expect(texts).toEqual(['Changed record 1 of returned', 'Changed record 2 of returned'])
    expect(complaints()).toEqual([])
    await close()
  })

  detail('an empty dataset links to the import from its annotation page, and counts the new records on return', async () => {
    const id = await seedDataset(team.server, { name: 'empty', workspaceId: team.workspaceId })
    const { page, close } = await at(`/dataset/${id}/annotation-mode`)
    const progress = page.getByRole('region', { name: ui('features/annotate:progress.name') })
    await progress.getByText(teamProgressText(0, 0)).waitFor()
    await page.getByRole('link', { name: ui('features/annotate:end.importRecords') }).click()
    await choose(page, 'two.csv', 'id,text\na,First.\nb,Second.\n')
    await page.getByRole('button', { name: ui('features/create:imports.start') }).click()
    await page.getByRole('link', { name: ui('features/create:imports.annotate') }).click({ timeout: 120_000 })
    await progress.getByText(teamProgressText(0, 2)).waitFor()
    await expectLeft(page, 2)
    await close()
  })
})

detail('annotators have no link to it, and its address sends them home', async () => {
  const id = await seedDataset(team.server, { name: 'for ann', workspaceId: team.workspaceId, records: 1 })
  const { page, close } = await at('/', 'ann')
  await page.getByRole('link', { name: 'for ann' }).waitFor()
  expect(await page.getByRole('button', { name: ui('features/home:newDataset') }).count()).toBe(0)
  for (const path of ['/new', `/new/${id}`, `/dataset/${id}/import`]) {
    await page.goto(path)
    await page.getByText(ui('common:validations.http.403.message')).first().waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  }
  await page.goto(`/dataset/${id}/settings`)
  await page.getByRole('heading', { name: ui('features/settings:title') }).waitFor()
  expect(await page.getByRole('link', { name: ui('features/settings:importRecords') }).count()).toBe(0)
  await close()
})
