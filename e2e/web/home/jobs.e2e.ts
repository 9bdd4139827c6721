import { detail } from '@postil/testkit/detail.ts'
import { beforeAll, expect, test } from 'vitest'
import { findViolations, openPage, PHONE } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { PASSWORD, seedDataset, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { choose } from '../support/creation-form.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()
beforeAll(async () => {
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
})

test("a user's jobs are shown on every page, even after a reload, with the reasons for omitted rows in their language", async () => {
  const id = await seedDataset(team.server, { name: 'letters', workspaceId: team.workspaceId, records: 1 })
  const opened = await openPage(team.browser, team.server.url, { language: 'de' })
  const { page, complaints, close } = opened
  await createSession(page, team.server.url, 'adam', PASSWORD)
  await page.goto(`/dataset/${id}/import`)
  await choose(page, 'more.csv', 'id,text,label\na,First.,yes\nb,Second.,maybe\n')
  const jobsButton = new RegExp(
    `${uiPattern('features/jobs:open', {}, { language: 'de' }).source}|^${ui('features/jobs:openIdle', {}, 'de')}$`,
  )
  const reason = uiPattern('features/jobs:reason.notAnOption', { value: '"maybe"' }, { language: 'de', whole: false })
  await page
    .getByText(uiPattern('features/jobs:reason.suggestionFault', { question: 'label', reason }, { language: 'de', whole: false }))
    .waitFor()
  expect(await page.getByRole('button', { name: jobsButton }).count()).toBe(0)
  await page.getByRole('button', { name: ui('features/create:imports.start', {}, 'de') }).click()
  await page.getByRole('button', { name: jobsButton }).waitFor()
  await page.goto('/')
  await page.getByRole('button', { name: ui('features/jobs:openIdle', {}, 'de'), exact: true }).click()
  const jobs = page.getByRole('dialog', { name: ui('features/jobs:title', {}, 'de') })
  await jobs.getByText(ui('features/jobs:kind.importFile', {}, 'de')).waitFor()
  await jobs.getByText('more.csv').waitFor()
  await jobs.getByText(ui('features/jobs:status.finished', {}, 'de')).waitFor()
  expect(await findViolations(page)).toEqual([])
  await jobs.getByRole('link', { name: 'letters' }).click()
  await page.waitForURL(`**/dataset/${id}/annotation-mode`)
  expect(complaints()).toEqual([])
  await close()
})

detail('on a phone jobs are accessible, and other users see none', async () => {
  const { page, close } = await openPage(team.browser, team.server.url, PHONE)
  await createSession(page, team.server.url, 'adam', PASSWORD)
  await page.goto('/')
  await page.getByRole('button', { name: ui('features/jobs:openIdle'), exact: true }).tap()
  await page
    .getByRole('dialog', { name: ui('features/jobs:title') })
    .getByText('more.csv')
    .waitFor()
  expect(await findViolations(page)).toEqual([])
  await createSession(page, team.server.url)
  await page.goto('/')
  await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.getByRole('button', { name: ui('features/jobs:openIdle') }).count()).toBe(0)
  await close()
})
