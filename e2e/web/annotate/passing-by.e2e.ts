import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { left, openAnnotation } from '../ground/annotation.ts'
import { givenDataset, givenUser, PASSWORD } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { hold } from '../support/hold.ts'
import { haveSession } from '../support/sign-in.ts'

/*
 * Records are kept from others for as long as somebody looks at them, and not for who has only passed by.
 */

const team = setUpTeam()
beforeAll(() => givenUser(team.server, 'ben', 'annotator', [team.workspaceId]))

/** The list of datasets, one of which has twelve records. */
const open = async (name: string) => {
  const id = await givenDataset(team.server, { name, workspaceId: team.workspaceId, records: 12 })
  const { page, close } = await openPage(team.browser, team.server.url)
  await haveSession(page, team.server.url)
  await page.goto('/')
  const link = page.getByRole('link', { name, exact: true })
  await link.waitFor()
  await page.waitForLoadState('networkidle')
  return { id, page, link, close }
}
const goHome = async (page: Page): Promise<void> => {
  await page
    .getByRole('link', { name: ui('common:nav.home') })
    .first()
    .click()
  await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
}
const isQueue = (url: string): boolean => url.endsWith('/queue')

/** What another annotator is told is left. */
const leftForBen = async (id: string, wanted: number): Promise<void> => {
  const { page, close } = await openPage(team.browser, team.server.url)
  await haveSession(page, team.server.url, 'ben', PASSWORD)
  await openAnnotation(page, id)
  await left(page, wanted)
  await close()
}

test('who points at a dataset takes nothing', async () => {
  const { id, page, link, close } = await open('pointed at')
  const setup = page.waitForResponse((response) => response.url().endsWith(`${id}/annotation`))
  await link.hover()
  await setup
  await leftForBen(id, 12)
  await close()
})

test('what comes when its list has been left is given back', async () => {
  const { id, page, link, close } = await open('left early')
  const { sent, go } = await hold(page, 'POST', isQueue)
  await link.click()
  await sent
  await page.waitForURL('**/annotation-mode')
  await goHome(page)
  const back = page.waitForResponse((response) => response.url().includes('/queue/leases') && response.ok())
  go()
  expect((await back).request().method()).toBe('DELETE')
  await leftForBen(id, 12)
  await close()
})

test('who comes back while records are on their way back has them again', async () => {
  const { id, page, link, close } = await open('back again')
  await link.click()
  await left(page, 12)
  const { sent, go } = await hold(page, 'DELETE', (url) => url.includes('/queue/leases'))
  await goHome(page)
  await sent
  await link.click()
  await page.waitForURL('**/annotation-mode')
  const back = page.waitForResponse((response) => response.request().method() === 'DELETE')
  go()
  await back
  await page.locator('[data-question]').first().waitFor()
  await left(page, 12)
  await leftForBen(id, 6)
  await close()
})
