import { detail } from '@postil/testkit/detail.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations, type Language, openBrowser, openPage, PHONE } from '../../harness/browser.ts'
import { OWNER, type RunningServer, startServer } from '../../harness/server.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { seedAnnotationDataset, teamProgress } from '../fixtures/annotation.ts'
import { callAsOwner, PASSWORD, seedDataset, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { createSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser

const HOSTILE = '<img src=x onerror="window.canary=1">{{constructor}}'

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  const team = await seedWorkspace(server, 'team')
  const arts = await seedWorkspace(server, 'arts')
  await seedWorkspace(server, 'lonely')
  const first = await seedDataset(server, { name: 'set 10', workspaceId: team, records: 4, minSubmitted: 2 })
  await seedDataset(server, { name: 'set 9', workspaceId: team, records: 2 })
  await seedDataset(server, { name: 'Größe', workspaceId: arts, records: 1 })
  await seedDataset(server, { name: HOSTILE, workspaceId: arts })
  await seedDataset(server, { name: 'not yet', workspaceId: arts, publish: false })
  await seedUser(server, 'ann', 'annotator', [team])
  await seedUser(server, 'nobody', 'annotator')
  await seedUser(server, 'adam', 'admin', [arts])
  const { items } = await callAsOwner<{ items: readonly { id: string }[] }>(server, 'GET', `/datasets/${first}/records`)
  await callAsOwner(server, 'POST', `/records/${items[0]?.id}/responses`, {
    status: 'submitted',
    values: { label: { value: 'yes' } },
  })
  await callAsOwner(server, 'POST', `/records/${items[1]?.id}/responses`, { status: 'draft', values: {} })
  const users = await callAsOwner<{ items: readonly { username: string; api_key: string }[] }>(server, 'GET', '/users')
  const apiKey = users.items.find(({ username }) => username === 'ann')?.api_key ?? ''
  await callAsOwner({ url: server.url, apiKey }, 'POST', `/records/${items[0]?.id}/responses`, {
    status: 'discarded',
    values: {},
  })
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const atHome = async (path = '/', username?: string, options = {}) => {
  const opened = await openPage(browser, server.url, options)
  await (username ? createSession(opened.page, server.url, username, PASSWORD) : createSession(opened.page, server.url))
  await opened.page.goto(path)
  await opened.page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
  return opened
}

const names = (page: Page): Promise<string[]> => page.locator('main li a').allTextContents()
const row = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) })
/** The line with the types of a dataset's fields and questions. */
const contents = (
  fields: readonly 'text'[],
  questions: readonly ('label_selection' | 'multi_label_selection' | 'rating' | 'ranking' | 'span' | 'text')[],
  language: Language = 'en',
): string => {
  const fieldTypes = fields.map((kind) => ui(`field-types/${kind}:name`, {}, language))
  const questionTypes = questions.map((kind) => ui(`question-types/${kind}:name`, {}, language))
  return [
    `${ui('features/home:fields', {}, language)} ${fieldTypes.join(', ')}`,
    `${ui('features/home:questions', {}, language)} ${questionTypes.join(', ')}`,
  ].join(' · ')
}
/** How far the content extends beyond the width of the screen. */
const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
const shown = (page: Page, expected: readonly string[]) => expect.poll(() => names(page)).toEqual(expected)

describe('the list of datasets', () => {
  test('loads in one request, pending work first, with the progress of the team and the user', async () => {
    const opened = await openPage(browser, server.url)
    await createSession(opened.page, server.url)
    // Stops the clock, because counts expire within a second and a slow machine takes longer to render them.
    await opened.page.addInitScript(() => {
      const now = Date.now()
      Date.now = () => now
    })
    const calls: string[] = []
    opened.page.on('request', (request) => {
      if (request.url().includes('/api/')) calls.push(new URL(request.url()).pathname)
    })
    await opened.page.goto('/')
    await shown(opened.page, ['set 10', 'Größe', 'set 9', 'not yet', HOSTILE])
    // The server's settings, and the jobs that the header requests, are not part of the list and don't delay it.
    const others = ['/api/v1/settings', '/api/v1/me/jobs']
    expect(calls.filter((call) => !others.includes(call))).toEqual(['/api/v1/me', '/api/v1/me/home'])
    const first = row(opened.page, 'set 10')
    await first.getByText(ui('features/home:left', { count: 2, number: 2 })).waitFor()
    await first.getByText(ui('features/home:submitted', { count: 1, number: 1 })).waitFor()
    await first.getByText(ui('features/home:drafts', { count: 1, number: 1 })).waitFor()
    expect(await first.getByRole('progressbar').getAttribute('aria-valuetext')).toBe(teamProgress(0, 4, [1, 8]))
    await row(opened.page, 'not yet').getByText(ui('features/home:notPublished')).waitFor()
    await expect
      .poll(() => opened.page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents())
      .toEqual([ui('features/home:waiting'), ui('features/home:others')])
    expect(await opened.page.evaluate(() => (window as { canary?: number }).canary)).toBeUndefined()
    expect(opened.complaints()).toEqual([])
    await opened.close()
  })

  test('shows the contents of each dataset and who answered, in one line on a phone too', async () => {
    for (const size of [{}, PHONE]) {
      const { page, close } = await atHome('/?workspaces=team', undefined, size)
      const first = row(page, 'set 10')
      const types = first.getByText(ui('question-types/label_selection:name'))
      expect(await types.textContent()).toBe(contents(['text'], ['label_selection']))
      await first
        .getByRole('img', { name: ui('features/home:answeredBy', { people: `${OWNER.username} and ann` }), exact: true })
        .waitFor()
      await expect.poll(async () => (await types.boundingBox())?.height).toBeLessThan(24)
      expect(await row(page, 'set 9').getByRole('img').count()).toBe(0)
      expect(await findViolations(page)).toEqual([])
      await close()
    }
  })

  test('is searched while typing, with the search in the address, and cleared', async () => {
    const { page, close } = await atHome()
    await page.getByRole('searchbox', { name: ui('features/home:search') }).fill('gro')
    await shown(page, ['Größe'])
    await page
      .getByRole('status')
      .getByText(ui('features/home:countOf', { shown: 1, total: 5 }))
      .waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?search=gro')
    await page.reload()
    await shown(page, ['Größe'])
    await page.getByRole('searchbox').fill('no such thing')
    await page.getByRole('heading', { name: ui('features/home:nothingFound') }).waitFor()
    await page
      .getByRole('main')
      .getByRole('button', { name: ui('features/home:clearSearch') })
      .last()
      .click()
    await expect.poll(() => names(page)).toHaveLength(5)
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('')
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await close()
  })

  detail('is searched with one history entry, and back undoes the search', async () => {
    const { page, close } = await atHome()
    const input = page.getByRole('searchbox', { name: ui('features/home:search') })
    const entries = await page.evaluate(() => history.length)
    await input.pressSequentially('set')
    await shown(page, ['set 10', 'set 9'])
    expect(await page.evaluate(() => history.length)).toBe(entries + 1)
    await page.goBack()
    await expect.poll(() => names(page)).toHaveLength(5)
    expect(await input.inputValue()).toBe('')
    await page.goForward()
    await shown(page, ['set 10', 'set 9'])
    // Emptying the search adds no history entry.
    await input.fill('')
    await expect.poll(() => names(page)).toHaveLength(5)
    await expect.poll(() => new URL(page.url()).search).toBe('')
    expect(await page.evaluate(() => history.length)).toBe(entries + 1)
    await close()
  })

  detail('is filtered by workspaces with counts, and back undoes the filter', async () => {
    const { page, close } = await atHome()
    await page.getByRole('button', { name: ui('features/home:workspaces') }).click()
    await expect
      .poll(() =>
        page
          .getByRole('dialog', { name: ui('features/home:workspaces') })
          .locator('label')
          .allTextContents(),
      )
      .toEqual(['arts3', 'default0', 'lonely0', 'team2'])
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('checkbox', { name: 'team' }).click()
    await shown(page, ['set 10', 'set 9'])
    await expect.poll(() => new URL(page.url()).search).toBe('?workspaces=team')
    await page.keyboard.press('Escape')
    await page.goBack()
    await expect.poll(() => names(page)).toHaveLength(5)
    await page.goForward()
    await shown(page, ['set 10', 'set 9'])
    // Removing the last workspace adds no history entry.
    const entries = await page.evaluate(() => history.length)
    await page.getByRole('button', { name: ui('features/home:workspace', { name: 'team' }) }).click()
    await page.getByRole('checkbox', { name: 'team' }).click()
    await expect.poll(() => names(page)).toHaveLength(5)
    await expect.poll(() => new URL(page.url()).search).toBe('')
    expect(await page.evaluate(() => history.length)).toBe(entries)
    await close()
  })

  detail('opens filtered from a breadcrumb link', async () => {
    const { page, close } = await atHome('/?workspaces=arts')
    await shown(page, ['Größe', 'not yet', HOSTILE])
    await close()
  })

  detail('reports a workspace that does not exist, and can show all datasets again', async () => {
    for (const size of [{}, PHONE]) {
      const { page, close, complaints } = await atHome(`/?workspaces=nope&sort=name.asc`, undefined, size)
      await page.getByRole('heading', { name: ui('features/home:noWorkspace', { count: 1, names: 'nope' }) }).waitFor()
      for (const hint of ['noNameHint', 'nothingFoundHint'] as const) {
        expect(await page.getByText(ui(`features/home:${hint}`)).count()).toBe(0)
      }
      expect(await findViolations(page)).toEqual([])
      await page.getByRole('button', { name: ui('features/home:allWorkspaces') }).click()
      await expect.poll(() => names(page)).toHaveLength(5)
      await expect.poll(() => new URL(page.url()).search).toBe('?sort=name.asc')
      await page.goto(`/?workspaces=${'long-'.repeat(60)},other`)
      await page.getByRole('heading', { name: uiPattern('features/home:noWorkspace', { names: /long-.*other/ }) }).waitFor()
      await expect.poll(() => sideways(page)).toBe(0)
      expect(complaints()).toEqual([])
      await close()
    }
    // It is not an error if only one of the workspaces exists: its datasets are shown, and the selection drops the unknown
    // workspace.
    const { page, close } = await atHome('/?workspaces=lonely,nope')
    await page.getByText(ui('features/home:nothingInWorkspaces')).waitFor()
    await page.getByRole('button', { name: ui('features/home:workspacesChosen', { count: 2 }) }).click()
    await page.getByRole('checkbox', { name: 'team' }).click()
    await shown(page, ['set 10', 'set 9'])
    await expect.poll(() => new URL(page.url()).searchParams.get('workspaces')).toBe('lonely,team')
    await close()
  })

  detail('is sorted by name, with numbers in numeric order', async () => {
    const { page, close } = await atHome('/?workspaces=team,arts')
    await page.getByRole('button', { name: uiPattern('features/home:sortedBy') }).click()
    await page.getByRole('menuitemradio', { name: ui('features/home:sort.name') }).click()
    await shown(page, ['Größe', 'set 9', 'set 10', HOSTILE, 'not yet'])
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('name.asc')
    await page
      .getByRole('button', {
        name: ui('features/home:sortedBy', { key: ui('features/home:sort.name'), order: ui('features/home:order.name.asc') }),
      })
      .click()
    await page.getByRole('menuitemradio', { name: ui('features/home:order.name.desc') }).click()
    await shown(page, ['set 10', 'set 9', 'Größe', 'not yet', HOSTILE])
    await close()
  })

  test('can be used by keyboard, starting with the skip link', async () => {
    const { page, close } = await atHome('/?search=set 10')
    await shown(page, ['set 10'])
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(ui('common:nav.skip'))
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
    expect(new URL(page.url()).pathname).toBe('/')
    for (let press = 0; press < 12; press += 1) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate(() => document.activeElement?.textContent)) === 'set 10') break
    }
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('A')
    await close()
  })

  test('shows annotators only their workspaces, and an empty list says so', async () => {
    const ann = await atHome('/', 'ann')
    await expect.poll(() => names(ann.page)).toHaveLength(2)
    await row(ann.page, 'set 9')
      .getByText(ui('features/home:left', { count: 2, number: 2 }))
      .waitFor()
    await ann.close()
    const newcomer = await atHome('/', 'nobody')
    await newcomer.page.getByRole('heading', { name: ui('features/home:none') }).waitFor()
    await newcomer.page.getByText(ui('features/home:noneForAnnotator')).waitFor()
    expect(await newcomer.page.getByRole('button', { name: ui('common:action.copy') }).count()).toBe(0)
    await newcomer.close()
  })

  detail('does not scroll sideways on a phone, and every target is large enough for touch', async () => {
    const { page, close } = await atHome('/', undefined, PHONE)
    await expect.poll(() => names(page)).toHaveLength(5)
    await expect.poll(() => sideways(page)).toBe(0)
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, header a')]
        .filter((element) => element.getBoundingClientRect().height > 1 && element.getBoundingClientRect().height < 32)
        .map((element) => element.outerHTML),
    )
    expect(small).toEqual([])
    await close()
  })
})

detail('the contents of a dataset are shown in full, even with long words, and aligned', async () => {
  await seedAnnotationDataset(server, { name: 'of everything', workspaceId: await seedWorkspace(server, 'rich'), records: [] })
  await seedDataset(server, { name: 'of little', workspaceId: await seedWorkspace(server, 'far-more-than-rich') })
  for (const size of [{}, PHONE]) {
    const { page, close } = await openPage(browser, server.url, { ...size, language: 'de' })
    await createSession(page, server.url)
    await page.goto('/?workspaces=rich,far-more-than-rich')
    const types = row(page, 'of everything').getByText(ui('question-types/multi_label_selection:name', {}, 'de'))
    const questions = ['label_selection', 'multi_label_selection', 'rating', 'ranking', 'span', 'text'] as const
    expect(await types.textContent()).toBe(contents(['text'], questions, 'de'))
    const edges = page.locator('main li').getByText(ui('question-types/label_selection:name', {}, 'de'))
    expect(new Set(await edges.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)))).size).toBe(1)
    expect(await edges.count()).toBe(2)
    await expect.poll(() => types.evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0)
    await expect.poll(() => sideways(page)).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await close()
  }
})
