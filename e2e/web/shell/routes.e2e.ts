import { detail } from '@postil/testkit/detail.ts'
import { variants } from '@postil/testkit/run-size.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findViolations, openPage } from '../../harness/browser.ts'
import { OWNER } from '../../harness/server.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { PASSWORD, seedDataset, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()
let id: string
beforeAll(async () => {
  // Each visit leases its own records, so the dataset needs many of them.
  id = await seedDataset(team.server, { name: 'reviews', workspaceId: team.workspaceId, records: 100 })
  await seedUser(team.server, 'ann', 'annotator', [team.workspaceId])
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
})

type Role = 'nobody' | 'annotator' | 'admin' | 'owner'
const names = { annotator: 'ann', admin: 'adam', owner: OWNER.username } as const
const roles = ['annotator', 'admin', 'owner'] as const

const as = async (role: Role) => {
  const opened = await openPage(team.browser, team.server.url)
  if (role !== 'nobody') await createSession(opened.page, team.server.url, names[role], role === 'owner' ? undefined : PASSWORD)
  return opened
}

/** The name of a language is the same in every UI language. */
const GERMAN = 'Deutsch'
const NOT_FOUND = `404 ${ui('common:error.notFound')}`

/** The page that an address leads to, identified by its heading. */
type Seen = { readonly heading: string | RegExp; readonly at?: string }
const notFoundRoutes: Seen = { heading: NOT_FOUND }
const home: Seen = { heading: ui('features/home:title'), at: '/' }
const annotation: Seen = { heading: /reviews/, at: '/dataset/:id/annotation-mode' }
const all = (seen: Seen): { readonly [R in (typeof roles)[number]]: Seen } => ({ annotator: seen, admin: seen, owner: seen })
const privileged = (seen: Seen, otherwise: Seen) => ({ ...all(seen), annotator: otherwise })

const routes: { readonly [path: string]: { readonly [R in (typeof roles)[number]]: Seen } } = {
  '/': all({ heading: ui('features/home:title') }),
  '/sign-in': all(home),
  '/sign-in?omitCTA=true': all(home),
  '/welcome-hf-sign-in': all(home),
  '/oauth/github/callback': all(home),
  '/new': privileged({ heading: ui('features/create:title') }, home),
  // The dataset is no longer a draft.
  '/new/:id': privileged(annotation, home),
  '/dataset/:id': all(annotation),
  '/dataset/:id/annotation-mode': all(annotation),
  '/dataset/:id/settings': all({ heading: ui('features/settings:title') }),
  '/dataset/:id/import': privileged({ heading: ui('features/create:imports.title') }, home),
  '/user-settings': all({ heading: ui('features/profile:title') }),
  '/guides': all({ heading: ui('features/guides:title') }),
  '/administration': {
    ...all(notFoundRoutes),
    owner: { heading: ui('features/administration:title') },
    admin: { heading: ui('features/administration:section.members') },
  },
  '/dataset/00000000-0000-7000-8000-000000000000/annotation-mode': all(notFoundRoutes),
  '/dataset/00000000-0000-7000-8000-000000000000/settings': all(notFoundRoutes),
  '/nothing': all(notFoundRoutes),
  '/nothing/at/all': all(notFoundRoutes),
}

const replaceIds = (path: string): string => path.replace(':id', id)
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1, exact: true }).first().waitFor({ state: 'attached' })

/** The router reports a "not found" page as an error. */
const isExpected = (complaint: string): boolean => complaint.includes('isNotFound: true')

test.each(variants(1, roles))('every address leads to the right page for the %s', async (role) => {
  const { page, close, complaints } = await as(role)
  for (const [path, seen] of Object.entries(routes)) {
    await page.goto(replaceIds(path))
    await heading(page, seen[role].heading)
    await expect.poll(() => new URL(page.url()).pathname, { message: path }).toBe(replaceIds(seen[role].at ?? path).split('?')[0])
  }
  expect(complaints().filter((complaint) => !isExpected(complaint))).toEqual([])
  await close()
})

detail('an empty or missing page shows the logo once, with and without the header', async () => {
  const { page, close } = await as('owner')
  const marks = () => page.locator('svg[viewBox="0 0 32 32"]').count()
  for (const path of ['/dataset/00000000-0000-7000-8000-000000000000/annotation-mode', '/nothing']) {
    await page.goto(path)
    await heading(page, NOT_FOUND)
    await expect.poll(marks, { message: path }).toBe(1)
  }
  await close()
})

detail('signed-out users get the form, and the requested page is remembered', async () => {
  const { page, close } = await as('nobody')
  const isOpen = (path: string): boolean => /^.(sign-in|nothing)/.test(path)
  // These addresses are not remembered. The home page opens after sign-in by default, and nobody has to return to a sign-in page.
  const dropsQuery = (path: string): boolean => /^.($|oauth|welcome)/.test(path)
  for (const path of Object.keys(routes).filter((one) => !isOpen(one))) {
    await page.goto('/sign-in')
    await page.evaluate(() => localStorage.removeItem('postil'))
    const query = dropsQuery(path) ? '' : '?some=%C3%A4'
    await page.goto(replaceIds(path) + query)
    await page.getByLabel(ui('features/auth:username')).waitFor()
    await expect.poll(() => new URL(page.url()).pathname, { message: path }).toBe('/sign-in')
    const remembered = () => page.evaluate(() => JSON.parse(localStorage.getItem('postil') ?? '{}').redirectTo?.split('?')[0])
    await expect.poll(remembered, { message: path }).toBe(dropsQuery(path) ? undefined : replaceIds(path))
  }
  await close()
})

describe('actions available to each role', () => {
  test.each(variants(1, roles))('on the home page: %s', async (role) => {
    const { page, close } = await as(role)
    await page.goto('/')
    await page.getByRole('link', { name: 'reviews' }).first().waitFor()
    const isPrivileged = role !== 'annotator'
    await expect.poll(() => page.getByRole('button', { name: ui('features/home:newDataset') }).count()).toBe(isPrivileged ? 1 : 0)
    await page.getByRole('button', { name: uiPattern('common:user.menu') }).click()
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual([
        ui('common:user.settings'),
        ui('common:user.docs'),
        ...(role === 'owner' ? [ui('common:user.administration')] : []),
        ...(role === 'admin' ? [ui('common:user.members')] : []),
        ui('common:user.signOut'),
      ])
    await close()
  })

  test.each(variants(1, roles))('on a dataset: %s', async (role) => {
    const { page, close } = await as(role)
    await page.goto(replaceIds('/dataset/:id/settings'))
    await heading(page, ui('features/settings:title'))
    const isPrivileged = role !== 'annotator'
    await page.locator('main h2').first().waitFor()
    await expect
      .poll(() => page.getByRole('link', { name: ui('features/settings:importRecords') }).count())
      .toBe(isPrivileged ? 1 : 0)
    await expect
      .poll(() => page.getByRole('link', { name: ui('features/settings:section.danger') }).count())
      .toBe(isPrivileged ? 1 : 0)
    await expect.poll(async () => (await page.locator('main form').count()) > 0).toBe(isPrivileged)
    await page.goto(replaceIds('/dataset/:id/annotation-mode'))
    await page.locator('[data-question]').first().waitFor()
    await page.getByRole('button', { name: uiPattern('common:user.menu') }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: ui('features/annotate:push') }).count()).toBe(isPrivileged ? 1 : 0)
    await close()
  })
})

detail('a chosen language applies to every card on a page of records, and stays after a reload', async () => {
  const { page, close } = await as('owner')
  await page.goto(replaceIds('/dataset/:id/annotation-mode?page=1~10'))
  const cards = page.locator('li[data-record]')
  const copies = (name: string) => cards.getByRole('button', { name, exact: true, includeHidden: true })
  await expect.poll(() => copies(ui('features/annotate:record.copyField', { title: 'Text' })).count()).toBe(10)
  await page.getByRole('button', { name: uiPattern('common:user.menu') }).click()
  await page.getByRole('menuitemradio', { name: GERMAN }).click()
  await expect.poll(() => copies(ui('features/annotate:record.copyField', { title: 'Text' }, 'de')).count()).toBe(10)
  await page.reload()
  await expect.poll(() => copies(ui('features/annotate:record.copyField', { title: 'Text' }, 'de')).count()).toBe(10)
  await close()
})

detail('while the identity is loading, the page says that it is waiting for the server', async () => {
  const { page, context, complaints, close } = await as('annotator')
  let goOn = () => {}
  const held = new Promise<void>((done) => {
    goOn = done
  })
  await context.route(/\/api\/v1\/me$/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(team.server.url)
  const waits = page.getByRole('main').getByText(ui('common:connection.waiting'))
  await waits.waitFor()
  expect(await findViolations(page)).toEqual([])
  goOn()
  await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
  await expect.poll(() => waits.count()).toBe(0)
  expect(complaints()).toEqual([])
  await close()
})
