import { variants } from '@postil/testkit/run-size.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { choose, chooseRole, importEnded } from '../support/creation-form.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()
beforeAll(async () => {
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
})

type Listed = { readonly items: readonly { readonly name: string; readonly status: string }[] }
const datasetsNamed = async (name: string) =>
  (await callAsOwner<Listed>(team.server, 'GET', '/me/datasets')).items.filter((dataset) => dataset.name === name)
const create = (page: Page) => page.getByRole('button', { name: ui('features/create:bar.createAndImport') }).click()

/** Makes all requests fail from this step on, including the one that deletes the partial dataset. */
const failRequestsTo = async (page: Page, step: string): Promise<void> => {
  let isFailing = false
  await page.route('**/api/v1/datasets/**', (route) => {
    if (route.request().url().endsWith(step)) isFailing = true
    return isFailing ? route.abort() : route.continue()
  })
}

test.each(variants(2, ['/fields', '/questions', '/publish', '/start']))(
  'a creation interrupted at %s is rolled back when the server returns',
  async (step) => {
    const name = `cut off at ${step.slice(1)}`
    const opened = await openPage(team.browser, team.server.url)
    const { page, close, complaints } = opened
    await createSession(page, team.server.url, 'adam', PASSWORD)
    await page.goto('/new')
    await choose(page, 'rows.csv', 'text,topic\nOne.,a\nTwo.,b\nThree.,a\nFour.,b\n')
    await chooseRole(page, 'topic').selectOption('question')
    await page.getByRole('textbox', { name: ui('features/create:about.name') }).fill(name)
    await failRequestsTo(page, step)
    await create(page)
    await page
      .getByRole('alert')
      .getByText(ui('features/create:bar.failed', { problem: ui('common:validations.http.unreachable.message') }))
      .waitFor()
    expect(await datasetsNamed(name)).toHaveLength(1)
    // The partial dataset keeps the name until it is deleted. The page notices the deletion a moment after the server has
    // deleted the dataset.
    const taken = page.getByText(ui('features/create:fault.taken'))
    await taken.waitFor()
    await page.unroute('**/api/v1/datasets/**')
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect.poll(() => datasetsNamed(name)).toEqual([])
    // The form is still open, and the name is free.
    await taken.waitFor({ state: 'detached' })
    await create(page)
    await page.getByText(importEnded({ created: 4 })).waitFor()
    expect(await datasetsNamed(name)).toMatchObject([{ status: 'ready' }])
    expect(complaints()).toEqual([])
    await close()
  },
)

test('the form stays while the server is unreachable, and creates the dataset when it returns', async () => {
  const opened = await openPage(team.browser, team.server.url)
  const { page, close } = opened
  await createSession(page, team.server.url, 'adam', PASSWORD)
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
    .getByText(ui('features/create:bar.failed', { problem: ui('common:validations.http.unreachable.message') }))
    .waitFor()
  // The list of datasets is also requested, until the page stops retrying.
  await expect.poll(() => asked, { timeout: 20_000 }).toBe(3)
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))))
  await page.unroute('**/api/v1/**')
  await create(page)
  await page.getByText(importEnded({ created: 4 })).waitFor()
  expect(await datasetsNamed('through a restart')).toMatchObject([{ status: 'ready' }])
  await close()
})

test('an admin without a workspace is referred to an owner instead of a form that can’t be submitted', async () => {
  await seedUser(team.server, 'lone', 'admin')
  const { page, close, complaints } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url, 'lone', PASSWORD)
  await page.goto('/')
  await page.getByText(ui('features/home:noneWithoutWorkspace')).waitFor()
  expect(await page.getByRole('button', { name: ui('features/home:newDataset') }).count()).toBe(0)
  expect(await page.getByText('import argilla').count()).toBe(0)
  await page.goto('/new')
  await page.getByText(ui('features/create:noWorkspace')).waitFor()
  await page.getByRole('button', { name: ui('features/create:start.nothingAction') }).click()
  await page.getByText(ui('features/create:fault.noWorkspace')).waitFor()
  expect(complaints()).toEqual([])
  await close()
})
