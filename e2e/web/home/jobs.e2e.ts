import { beforeAll, expect, test } from 'vitest'
import { openPage, PHONE, violations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { givenDataset, givenUser, PASSWORD } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { choose } from '../support/creating.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()
beforeAll(async () => {
  await givenUser(team.server, 'adam', 'admin', [team.workspaceId])
})

test('what somebody has started is told wherever they are, also after a reload, and why rows are left out in their language', async () => {
  const id = await givenDataset(team.server, { name: 'letters', workspaceId: team.workspaceId, records: 1 })
  const opened = await openPage(team.browser, team.server.url, { language: 'de' })
  const { page, complaints, close } = opened
  await haveSession(page, team.server.url, 'adam', PASSWORD)
  await page.goto(`/dataset/${id}/import`)
  await choose(page, 'more.csv', 'id,text,label\na,First.,yes\nb,Second.,maybe\n')
  await page.getByText(/Der Vorschlag für die Frage „label“ ist ungültig: "maybe" ist keine der Optionen/).waitFor()
  expect(await page.getByRole('button', { name: /^Ihre Aufträge/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Import starten' }).click()
  await page.getByRole('button', { name: /^Ihre Aufträge/ }).waitFor()
  await page.goto('/')
  await page.getByRole('button', { name: 'Ihre Aufträge', exact: true }).click()
  const jobs = page.getByRole('dialog', { name: 'Ihre Aufträge' })
  await jobs.getByText('Import einer Datei').waitFor()
  await jobs.getByText('more.csv').waitFor()
  await jobs.getByText(/^Fertig/).waitFor()
  expect(await violations(page)).toEqual([])
  await jobs.getByRole('link', { name: 'letters' }).click()
  await page.waitForURL(`**/dataset/${id}/annotation-mode`)
  expect(complaints()).toEqual([])
  await close()
})

test('on a phone they are in reach, and others have none', async () => {
  const { page, close } = await openPage(team.browser, team.server.url, PHONE)
  await haveSession(page, team.server.url, 'adam', PASSWORD)
  await page.goto('/')
  await page.getByRole('button', { name: ui('features/jobs:title'), exact: true }).tap()
  await page
    .getByRole('dialog', { name: ui('features/jobs:title') })
    .getByText('more.csv')
    .waitFor()
  expect(await violations(page)).toEqual([])
  await haveSession(page, team.server.url)
  await page.goto('/')
  await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.getByRole('button', { name: ui('features/jobs:title') }).count()).toBe(0)
  await close()
})
