import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { asOwner, givenUser, PASSWORD } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { becomes, choose } from '../support/creating.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()
beforeAll(async () => {
  await givenUser(team.server, 'adam', 'admin', [team.workspaceId])
})

type Listed = { readonly items: readonly { readonly name: string; readonly status: string }[] }
const datasetsNamed = async (name: string) =>
  (await asOwner<Listed>(team.server, 'GET', '/me/datasets')).items.filter((dataset) => dataset.name === name)
const create = (page: Page) => page.getByRole('button', { name: ui('features/create:bar.createAndImport') }).click()

/** From this step on nothing reaches the server any more, not even that what was made is to go. */
const cutOffAt = async (page: Page, step: string): Promise<void> => {
  let isCut = false
  await page.route('**/api/v1/datasets/**', (route) => {
    if (route.request().url().endsWith(step)) isCut = true
    return isCut ? route.abort() : route.continue()
  })
}

test.each(['/fields', '/questions', '/publish', '/start'])(
  'a creation that is cut off at %s is taken back when the server is back',
  async (step) => {
    const name = `cut off at ${step.slice(1)}`
    const opened = await openPage(team.browser, team.server.url)
    const { page, close, complaints } = opened
    await haveSession(page, team.server.url, 'adam', PASSWORD)
    await page.goto('/new')
    await choose(page, 'rows.csv', 'text,topic\nOne.,a\nTwo.,b\nThree.,a\nFour.,b\n')
    await becomes(page, 'topic').selectOption('question')
    await page.getByRole('textbox', { name: ui('features/create:about.name') }).fill(name)
    await cutOffAt(page, step)
    await create(page)
    await page
      .getByRole('alert')
      .getByText(ui('features/create:bar.failed', { problem: `The server can't be reached` }))
      .waitFor()
    expect(await datasetsNamed(name)).toHaveLength(1)
    // The half of it has the name until it is gone, which the page knows a moment after the server.
    const taken = page.getByText(ui('features/create:fault.taken'))
    await taken.waitFor()
    await page.unroute('**/api/v1/datasets/**')
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect.poll(() => datasetsNamed(name)).toEqual([])
    // The form is still there, and its name is free.
    await taken.waitFor({ state: 'detached' })
    await create(page)
    await page.getByText('Done: 4 new records').waitFor()
    expect(await datasetsNamed(name)).toMatchObject([{ status: 'ready' }])
    expect(complaints()).toEqual([])
    await close()
  },
)

test('while the server is away the form stays, and creates when it is back', async () => {
  const opened = await openPage(team.browser, team.server.url)
  const { page, close } = opened
  await haveSession(page, team.server.url, 'adam', PASSWORD)
  await page.goto('/new')
  await choose(page, 'rows.csv', 'text,topic\nOne.,a\nTwo.,b\nThree.,a\nFour.,b\n')
  await page.getByRole('textbox', { name: ui('features/create:about.name') }).fill('through a restart')
  let asked = 0
  await page.route('**/api/v1/**', (route) => {
    if (route.request().url().endsWith('/me/home')) asked += 1
    return route.abort()
  })
  await create(page)
  await page
    .getByRole('alert')
    .getByText(ui('features/create:bar.failed', { problem: `The server can't be reached` }))
    .waitFor()
  // The list of datasets is asked for again beside it, until that is given up.
  await expect.poll(() => asked, { timeout: 20_000 }).toBe(3)
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))))
  await page.unroute('**/api/v1/**')
  await create(page)
  await page.getByText('Done: 4 new records').waitFor()
  expect(await datasetsNamed('through a restart')).toMatchObject([{ status: 'ready' }])
  await close()
})

test('an admin without a workspace is led to an owner, and not into a form that cannot be sent', async () => {
  await givenUser(team.server, 'lone', 'admin')
  const { page, close, complaints } = await openPage(team.browser, team.server.url)
  await haveSession(page, team.server.url, 'lone', PASSWORD)
  await page.goto('/')
  await page.getByText('Ask an owner to add you to one').waitFor()
  expect(await page.getByRole('link', { name: ui('features/create:title') }).count()).toBe(0)
  expect(await page.getByText('import argilla').count()).toBe(0)
  await page.goto('/new')
  await page.getByText('Ask an owner to add you to a workspace.').waitFor()
  await page.getByRole('button', { name: ui('features/create:start.nothingAction') }).click()
  await page.getByText(ui('features/create:fault.noWorkspace')).waitFor()
  expect(complaints()).toEqual([])
  await close()
})
