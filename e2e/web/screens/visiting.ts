import type { Page } from 'playwright-core'
import { DESKTOP, PHONE, wearTheme } from '../../harness/browser.ts'
import { OWNER, type RunningServer } from '../../harness/server.ts'
import { givenAllFields } from '../ground/all-fields.ts'
import { givenEverything } from '../ground/everything.ts'
import { givenFilterable } from '../ground/filterable.ts'
import { asOwner, givenDataset, givenImport, givenUser, givenWorkspace, PASSWORD } from '../ground/given.ts'
import { haveSession } from '../support/sign-in.ts'
import type { Screen } from './screen.ts'
import { IMPORTED } from './screens.ts'

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>

export const SIZES = { 1440: DESKTOP, 390: PHONE } as const
export type Size = keyof typeof SIZES

type Listed = { readonly items: readonly { readonly id: string }[] }

/** Every record was answered once, that answer changed and taken back, so all are pending. */
const givePast = async (server: RunningServer, dataset: string): Promise<void> => {
  const { items } = await asOwner<Listed>(server, 'GET', `/datasets/${dataset}/records`)
  for (const { id } of items) {
    const answer = (quality: number) => ({ status: 'draft', values: { tone: { value: 'neutral' }, quality: { value: quality } } })
    const given = await asOwner(server, 'POST', `/records/${id}/responses`, answer(2))
    await asOwner(server, 'PUT', `/responses/${given.id}`, answer(5))
    await asOwner(server, 'DELETE', `/responses/${given.id}`)
  }
}

/** Labels of every question that has any, with colours all round. */
const giveColours = async (server: RunningServer, dataset: string): Promise<void> => {
  type Labelled = { readonly id: string; readonly settings: { readonly options?: readonly { readonly value: unknown }[] } }
  const { items } = await asOwner<{ readonly items: readonly Labelled[] }>(server, 'GET', `/datasets/${dataset}/questions`)
  for (const { id, settings } of items) {
    const values = (settings.options ?? []).map(({ value }) => value).filter((value) => typeof value === 'string')
    if (values.length === 0) continue
    const colours = values.slice(0, 8).map((value, index) => ({ value, hue: (index * 50) % 360 }))
    await asOwner(server, 'PUT', `/questions/${id}/label-colours`, { colours })
  }
}

/** One's own view, a shared one, and one that somebody else shares. */
const givenViews = async (server: RunningServer, dataset: string, team: string): Promise<void> => {
  const grace = await givenUser(server, 'grace', 'annotator', [team])
  const { api_key: apiKey } = await asOwner<{ readonly api_key: string }>(server, 'GET', `/users/${grace}`)
  const views = `/datasets/${dataset}/views`
  const query = 'page=1&status=pending&metadata=source.web'
  await asOwner(server, 'POST', views, { name: 'From the web', query })
  await asOwner(server, 'POST', views, { name: 'Long ones first', query: 'sort=metadata.length.desc', shared: true })
  await asOwner({ ...server, apiKey }, 'POST', views, { name: 'Calm, and sure of it', query: 'status=draft', shared: true })
}

/** What would ask before it lets go of what was begun. */
const KEEPS = /^\/new|\/import$/

/** Goes where a link of the application would lead, without loading it anew. */
const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/** Fills a server with what the screens show. @returns how a page is led to one of them, by day */
export const givenScreens = async (server: RunningServer): Promise<(page: Page, screen: Screen) => Promise<void>> => {
  const team = await givenWorkspace(server, 'team')
  for (let number = 1; number <= 40; number += 1) {
    await givenDataset(server, {
      name: `reviews ${number}`,
      workspaceId: team,
      records: number === 7 ? 0 : number % 3,
      publish: number !== 7,
    })
  }
  const everything = await givenEverything(server, team, 2)
  await givePast(server, everything)
  await giveColours(server, everything)
  const filterable = await givenFilterable(server, { name: 'filterable', workspaceId: team, vectors: ['v', 'w'] })
  await givenViews(server, filterable, team)
  const allFields = await givenAllFields(server, team)
  const imported = await givenDataset(server, { name: 'imported', workspaceId: team })
  await givenImport(server, imported, IMPORTED)
  await givenUser(server, 'nobody', 'annotator')
  // Nothing of the kind happens here, so nothing is sent.
  await asOwner(server, 'POST', '/webhooks', { url: 'http://127.0.0.1/hook', events: ['dataset.deleted'] })

  const accounts = { owner: [OWNER.username, OWNER.password], nobody: ['nobody', PASSWORD] } as const
  // A password costs a tenth of a second of the processor each time, on purpose.
  const sessions = new Map<string, Cookies>()
  const enter = async (page: Page, who: Screen['who']): Promise<void> => {
    const context = page.context()
    await context.clearCookies()
    if (who === undefined) return
    const known = sessions.get(who)
    if (known) return context.addCookies(known)
    await haveSession(page, server.url, ...accounts[who])
    sessions.set(who, await context.cookies())
  }
  const ids = { ':everything': everything, ':filterable': filterable, ':imported': imported, ':all-fields': allFields }
  let last: Screen | null = null
  let on: Page | null = null
  return async (page, screen) => {
    const { path, who, ready } = screen
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const stays = on === page && last !== null && last.who === who && who !== undefined && !last.isAlone
    // Who stays keeps the session: a request of the last screen that is without one for a moment would sign them out.
    if (!stays) await enter(page, who)
    await wearTheme(page, 'light')
    const address = Object.entries(ids).reduce((at, [name, id]) => at.replace(name, id), path)
    if (stays && last !== null && !KEEPS.test(last.path)) {
      // What the last screen held is gone once another one has taken its place.
      await follow(page, '/nowhere')
      await page.locator('main h1', { hasText: '404' }).waitFor()
      await follow(page, address)
    } else {
      // Also where only what is after the # differs the page is loaded anew.
      await page.goto('about:blank')
      await page.goto(address)
    }
    ;[on, last] = [page, screen]
    await ready(page)
  }
}
