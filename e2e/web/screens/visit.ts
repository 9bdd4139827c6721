import type { Page } from 'playwright-core'
import { applyTheme, DESKTOP, PHONE } from '../../harness/browser.ts'
import { OWNER, type RunningServer } from '../../harness/server.ts'
import { seedAllFields } from '../fixtures/all-fields.ts'
import { seedAnnotationDataset } from '../fixtures/annotation.ts'
import { seedEverything } from '../fixtures/everything.ts'
import { seedFilterable } from '../fixtures/filterable.ts'
import { seedJudged } from '../fixtures/judged.ts'
import { LABEL_TREE } from '../fixtures/label-tree.ts'
import { callAsOwner, PASSWORD, seedDataset, seedImport, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { createSession } from '../support/sign-in.ts'
import type { Screen } from './screen.ts'
import { IMPORT_CSV } from './screens.ts'

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>

export const SIZES = { 1440: DESKTOP, 390: PHONE } as const
export type Size = keyof typeof SIZES

type Listed = { readonly items: readonly { readonly id: string }[] }

/** Answers every record, changes the answer and deletes it, so that history exists but all records are pending. */
const seedHistory = async (server: RunningServer, dataset: string): Promise<void> => {
  const { items } = await callAsOwner<Listed>(server, 'GET', `/datasets/${dataset}/records`)
  for (const { id } of items) {
    const answer = (quality: number) => ({ status: 'draft', values: { tone: { value: 'neutral' }, quality: { value: quality } } })
    const response = await callAsOwner(server, 'POST', `/records/${id}/responses`, answer(2))
    await callAsOwner(server, 'PUT', `/responses/${response.id}`, answer(5))
    await callAsOwner(server, 'DELETE', `/responses/${response.id}`)
  }
}

/** Assigns colors to the labels of all questions. */
const seedLabelColours = async (server: RunningServer, dataset: string): Promise<void> => {
  type Labelled = { readonly id: string; readonly settings: { readonly options?: readonly { readonly value: unknown }[] } }
  const { items } = await callAsOwner<{ readonly items: readonly Labelled[] }>(server, 'GET', `/datasets/${dataset}/questions`)
  for (const { id, settings } of items) {
    const values = (settings.options ?? []).map(({ value }) => value).filter((value) => typeof value === 'string')
    if (values.length === 0) continue
    const colours = values.slice(0, 8).map((value, index) => ({ value, hue: (index * 50) % 360 }))
    await callAsOwner(server, 'PUT', `/questions/${id}/label-colours`, { colours })
  }
}

const seedSavedViews = async (server: RunningServer, dataset: string, team: string): Promise<void> => {
  const grace = await seedUser(server, 'grace', 'annotator', [team])
  const { api_key: apiKey } = await callAsOwner<{ readonly api_key: string }>(server, 'GET', `/users/${grace}`)
  const views = `/datasets/${dataset}/views`
  const query = 'page=1&status=pending&metadata=source.web'
  await callAsOwner(server, 'POST', views, { name: 'From the web', query })
  await callAsOwner(server, 'POST', views, { name: 'Long ones first', query: 'sort=metadata.length.desc', shared: true })
  await callAsOwner({ ...server, apiKey }, 'POST', views, { name: 'Calm, and sure of it', query: 'status=draft', shared: true })
}

const seedAccountLinks = async (server: RunningServer, team: string) => {
  type Made = { readonly link: string }
  const person = { username: 'ada', first_name: 'Ada', last_name: 'Byron', workspace_ids: [team] }
  const invitation = await callAsOwner<Made>(server, 'POST', '/invitations', person)
  const user = await seedUser(server, 'forgetful', 'annotator', [team])
  const reset = await callAsOwner<Made>(server, 'POST', `/users/${user}/password-link`)
  const tokenOf = ({ link }: Made): string => link.split('#link=')[1] ?? ''
  return { ':invitation': tokenOf(invitation), ':reset': tokenOf(reset) }
}

/** Pages with a form that asks before it is left. */
const ASKS_BEFORE_LEAVING = /^\/new|\/import$/

/** Navigates as a link of the application does, without a reload. */
const navigateInApp = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/** Fills a server with the data of the screens. @returns a function that opens a screen in the light theme */
export const seedScreens = async (server: RunningServer): Promise<(page: Page, screen: Screen) => Promise<void>> => {
  const team = await seedWorkspace(server, 'team')
  for (let number = 1; number <= 40; number += 1) {
    await seedDataset(server, {
      name: `reviews ${number}`,
      workspaceId: team,
      records: number === 7 ? 0 : number % 3,
      publish: number !== 7,
    })
  }
  const everything = await seedEverything(server, team, 2)
  await seedHistory(server, everything)
  await seedLabelColours(server, everything)
  const filterable = await seedFilterable(server, { name: 'filterable', workspaceId: team, vectors: ['v', 'w'] })
  await seedSavedViews(server, filterable, team)
  const allFields = await seedAllFields(server, team)
  const judged = await seedJudged(server, team)
  await callAsOwner(server, 'PUT', `/datasets/${judged}/review-settings`, { mode: 'disagreements' })
  const tree = await seedAnnotationDataset(server, {
    name: 'tree',
    workspaceId: team,
    records: [{ fields: { text: 'A dog under a tree' } }],
    questions: {
      kind: { title: 'Kind', required: true, settings: { type: 'label_selection', options: LABEL_TREE.slice(0, 6) } },
    },
  })
  const imported = await seedDataset(server, { name: 'imported', workspaceId: team })
  await seedImport(server, imported, IMPORT_CSV)
  await seedUser(server, 'nobody', 'annotator')
  await seedUser(server, 'lead', 'admin', [team])
  // This event never happens here, so nothing is sent.
  await callAsOwner(server, 'POST', '/webhooks', { url: 'http://127.0.0.1/hook', events: ['dataset.deleted'] })

  const accounts = { owner: [OWNER.username, OWNER.password], lead: ['lead', PASSWORD], nobody: ['nobody', PASSWORD] } as const
  // Reuses sessions, because a password check takes a tenth of a second of processor time by design.
  const sessions = new Map<string, Cookies>()
  const enter = async (page: Page, who: Screen['who']): Promise<void> => {
    const context = page.context()
    await context.clearCookies()
    if (who === undefined) return
    const known = sessions.get(who)
    if (known) return context.addCookies(known)
    await createSession(page, server.url, ...accounts[who])
    sessions.set(who, await context.cookies())
  }
  const tokens = await seedAccountLinks(server, team)
  const ids = {
    ...tokens,
    ':everything': everything,
    ':filterable': filterable,
    ':judged': judged,
    ':tree': tree,
    ':imported': imported,
    ':all-fields': allFields,
  }
  let last: Screen | null = null
  let on: Page | null = null
  return async (page, screen) => {
    const { path, who, ready } = screen
    const stays = on === page && last !== null && last.who === who && who !== undefined && !last.isAlone
    await applyTheme(page, 'light')
    // Leaves the page before the mocked responses are removed. Otherwise, the page could send a rejected answer again, and the
    // server would store it.
    if (!stays) await page.goto('about:blank')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    // Keeps the session if the user stays the same. If the cookies were cleared, a late request of the last screen would be
    // sent without a session and sign the user out.
    if (!stays) await enter(page, who)
    const address = Object.entries(ids).reduce((at, [name, id]) => at.replace(name, id), path)
    if (stays && last !== null && !ASKS_BEFORE_LEAVING.test(last.path)) {
      // Opens another page first, to discard the state of the last screen.
      await navigateInApp(page, '/nowhere')
      await page.locator('main h1', { hasText: '404' }).waitFor()
      await navigateInApp(page, address)
    } else {
      // Reloads the page even if only the part after `#` differs.
      await page.goto('about:blank')
      await page.goto(address)
    }
    ;[on, last] = [page, screen]
    await ready(page).catch(async (cause: unknown) => {
      throw new Error(`The screen at ${path} is not ready: ${await page.locator('body').innerText()}`, { cause })
    })
  }
}
