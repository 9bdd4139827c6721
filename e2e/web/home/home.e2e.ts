import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage, PHONE, violations } from '../../harness/browser.ts'
import { OWNER, type RunningServer, startServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { givenAnnotation } from '../ground/annotation.ts'
import { asOwner, givenDataset, givenUser, givenWorkspace, PASSWORD } from '../ground/given.ts'
import { haveSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser

const HOSTILE = '<img src=x onerror="window.canary=1">{{constructor}}'

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  const team = await givenWorkspace(server, 'team')
  const arts = await givenWorkspace(server, 'arts')
  await givenWorkspace(server, 'lonely')
  const first = await givenDataset(server, { name: 'set 10', workspaceId: team, records: 4 })
  await givenDataset(server, { name: 'set 9', workspaceId: team, records: 2 })
  await givenDataset(server, { name: 'Größe', workspaceId: arts, records: 1 })
  await givenDataset(server, { name: HOSTILE, workspaceId: arts })
  await givenDataset(server, { name: 'not yet', workspaceId: arts, publish: false })
  await givenUser(server, 'ann', 'annotator', [team])
  await givenUser(server, 'nobody', 'annotator')
  await givenUser(server, 'adam', 'admin', [arts])
  const { items } = await asOwner<{ items: readonly { id: string }[] }>(server, 'GET', `/datasets/${first}/records`)
  await asOwner(server, 'POST', `/records/${items[0]?.id}/responses`, {
    status: 'submitted',
    values: { label: { value: 'yes' } },
  })
  await asOwner(server, 'POST', `/records/${items[1]?.id}/responses`, { status: 'draft', values: {} })
  const users = await asOwner<{ items: readonly { username: string; api_key: string }[] }>(server, 'GET', '/users')
  const apiKey = users.items.find(({ username }) => username === 'ann')?.api_key ?? ''
  await asOwner({ url: server.url, apiKey }, 'POST', `/records/${items[0]?.id}/responses`, { status: 'discarded', values: {} })
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const atHome = async (path = '/', username?: string, options = {}) => {
  const opened = await openPage(browser, server.url, options)
  await (username ? haveSession(opened.page, server.url, username, PASSWORD) : haveSession(opened.page, server.url))
  await opened.page.goto(path)
  await opened.page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
  return opened
}

const names = (page: Page): Promise<string[]> => page.locator('main li a').allTextContents()
const row = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) })
const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
/** How far what is shown goes beyond the screen. */
const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
const shown = (page: Page, expected: readonly string[]) => expect.poll(() => names(page)).toEqual(expected)

describe('the list of datasets', () => {
  test('comes in one call, first what waits, with progress of the team and of the user', async () => {
    const opened = await openPage(browser, server.url)
    await haveSession(opened.page, server.url)
    // What is counted grows old within a second, which a slow machine takes to draw it.
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
    // What the server says of its surroundings is no part of the list, and waits for nothing; nor are jobs, which the header asks for.
    const others = ['/api/v1/settings', '/api/v1/me/jobs']
    expect(calls.filter((call) => !others.includes(call))).toEqual(['/api/v1/me', '/api/v1/me/home'])
    const first = row(opened.page, 'set 10')
    await first.getByText('2 left').waitFor()
    await first.getByText(ui('features/home:submitted', { number: '1' })).waitFor()
    await first.getByText(ui('features/home:drafts', { number: '1' })).waitFor()
    expect(await first.getByRole('progressbar').getAttribute('aria-valuetext')).toBe(
      ui('features/home:teamDone', { share: '25.00%', total: '4' }),
    )
    await row(opened.page, 'not yet').getByText(ui('features/home:notPublished')).waitFor()
    await expect
      .poll(() => opened.page.getByRole('heading', { level: 2 }).allTextContents())
      .toEqual([ui('features/home:waiting'), ui('features/home:others')])
    expect(await opened.page.evaluate(() => (window as { canary?: number }).canary)).toBeUndefined()
    expect(opened.complaints()).toEqual([])
    await opened.close()
  })

  test('tells of each what it is made of and who has answered, in a line on a phone too', async () => {
    for (const size of [{}, PHONE]) {
      const { page, close } = await atHome('/?workspaces=team', undefined, size)
      const first = row(page, 'set 10')
      const types = first.getByText(ui('features/home:questionType.label_selection'))
      expect(await types.textContent()).toBe('Fields: Text · Questions: Single label')
      await first.getByRole('img', { name: `Answered by ${OWNER.username} and ann`, exact: true }).waitFor()
      await expect.poll(async () => (await types.boundingBox())?.height).toBeLessThan(24)
      expect(await row(page, 'set 9').getByRole('img').count()).toBe(0)
      expect(await violations(page)).toEqual([])
      await close()
    }
  })

  test('is searched as one types, in the address, and cleared', async () => {
    const { page, close } = await atHome()
    await page.getByRole('searchbox', { name: ui('features/home:search') }).fill('gro')
    await shown(page, ['Größe'])
    await page
      .getByRole('status')
      .getByText(ui('features/home:countOf', { shown: '1', total: '5' }))
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

  test('is filtered by workspaces, with counts; back leads back', async () => {
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
    expect(await violations(page)).toEqual([])
    await page.getByRole('checkbox', { name: 'team' }).click()
    await shown(page, ['set 10', 'set 9'])
    await expect.poll(() => new URL(page.url()).search).toBe('?workspaces=team')
    await page.keyboard.press('Escape')
    await page.goBack()
    await expect.poll(() => names(page)).toHaveLength(5)
    await page.goForward()
    await shown(page, ['set 10', 'set 9'])
    // The last one taken away is no entry of its own.
    const entries = await page.evaluate(() => history.length)
    await page.getByRole('button', { name: ui('features/home:workspace', { name: 'team' }) }).click()
    await page.getByRole('checkbox', { name: 'team' }).click()
    await expect.poll(() => names(page)).toHaveLength(5)
    await expect.poll(() => new URL(page.url()).search).toBe('')
    expect(await page.evaluate(() => history.length)).toBe(entries)
    await close()
  })

  test('reads the link of a breadcrumb', async () => {
    const { page, close } = await atHome('/?workspaces=arts')
    await shown(page, ['Größe', 'not yet', HOSTILE])
    await close()
  })

  test('says of a workspace that is not there that it is not, and shows all datasets again', async () => {
    for (const size of [{}, PHONE]) {
      const { page, close, complaints } = await atHome(`/?workspaces=nope&sort=name.asc`, undefined, size)
      await page.getByRole('heading', { name: ui('features/home:noWorkspace', { names: 'nope' }) }).waitFor()
      expect(await page.getByText('contains these words').count()).toBe(0)
      expect(await violations(page)).toEqual([])
      await page.getByRole('button', { name: ui('features/home:allWorkspaces') }).click()
      await expect.poll(() => names(page)).toHaveLength(5)
      await expect.poll(() => new URL(page.url()).search).toBe('?sort=name.asc')
      await page.goto(`/?workspaces=${'long-'.repeat(60)},other`)
      await page.getByRole('heading', { name: 'You can see none of these workspaces' }).waitFor()
      await expect.poll(() => sideways(page)).toBe(0)
      expect(complaints()).toEqual([])
      await close()
    }
    // One that exists is no mistake: what it has is shown, and the choice leaves the other out.
    const { page, close } = await atHome('/?workspaces=lonely,nope')
    await page.getByText(ui('features/home:nothingInWorkspaces')).waitFor()
    await page.getByRole('button', { name: ui('features/home:workspacesChosen', { count: 2 }) }).click()
    await page.getByRole('checkbox', { name: 'team' }).click()
    await shown(page, ['set 10', 'set 9'])
    await expect.poll(() => new URL(page.url()).searchParams.get('workspaces')).toBe('lonely,team')
    await close()
  })

  test('is sorted by name, as people count', async () => {
    const { page, close } = await atHome('/?workspaces=team,arts')
    await page.getByRole('button', { name: /^Sorted by/ }).click()
    await page.getByRole('menuitemradio', { name: ui('features/home:sort.name') }).click()
    await shown(page, ['Größe', 'set 9', 'set 10', HOSTILE, 'not yet'])
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('name.asc')
    await page.getByRole('button', { name: ui('features/home:sortedBy', { key: 'Name', order: 'A to Z' }) }).click()
    await page.getByRole('menuitemradio', { name: ui('features/home:order.name.desc') }).click()
    await shown(page, ['set 10', 'set 9', 'Größe', 'not yet', HOSTILE])
    await close()
  })

  test('can be walked by keyboard, from the skip link on', async () => {
    const { page, close } = await atHome('/?search=set 10')
    await shown(page, ['set 10'])
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(ui('common:nav.skip'))
    await page.keyboard.press(ui('features/guides:keys.key.enter'))
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
    expect(new URL(page.url()).pathname).toBe('/')
    for (let press = 0; press < 12; press += 1) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate(() => document.activeElement?.textContent)) === 'set 10') break
    }
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('A')
    await close()
  })

  test('shows an annotator only their workspaces, and says when there is nothing', async () => {
    const ann = await atHome('/', 'ann')
    await expect.poll(() => names(ann.page)).toHaveLength(2)
    await row(ann.page, 'set 9').getByText('2 left').waitFor()
    await ann.close()
    const nobody = await atHome('/', 'nobody')
    await nobody.page.getByRole('heading', { name: ui('features/home:none') }).waitFor()
    await nobody.page.getByText('Ask an owner to add you').waitFor()
    expect(await nobody.page.getByRole('button', { name: ui('common:action.copy') }).count()).toBe(0)
    await nobody.close()
  })

  test('does not scroll sideways on a phone, and every target is large enough for a thumb', async () => {
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

describe('what a dataset begins with', () => {
  test('is at hand beside the list: the hub, a program with the key and a workspace of the reader, an example', async () => {
    const { page, close, complaints } = await atHome('/', 'adam', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByText(ui('features/home:fromHub')).click()
    await page.getByRole('textbox', { name: ui('features/hub:start.label') }).waitFor()
    await page.getByText(ui('features/home:fromPython')).click()
    await page.getByRole('button', { name: ui('common:action.copy') }).click()
    const { items } = await asOwner<{ items: { username: string; api_key: string }[] }>(server, 'GET', '/users')
    const apiKey = items.find(({ username }) => username === 'adam')?.api_key
    await expect.poll(() => copied(page)).toContain(`api_key="${apiKey}"`)
    expect(await copied(page)).toContain('workspace="arts"')
    await page.getByText(ui('features/home:fromExample')).first().click()
    await page.getByText('free to use (CC0 1.0)').waitFor()
    expect(await violations(page)).toEqual([])
    await page
      .getByRole('button', { name: ui('features/examples:open') })
      .first()
      .click()
    await page.waitForURL(/annotation-mode/, { timeout: 120_000 })
    expect(complaints()).toEqual([])
    await close()
  })

  test('is not for annotators', async () => {
    const { page, close } = await atHome('/', 'ann')
    await expect.poll(() => names(page)).toHaveLength(2)
    expect(await page.locator('main details').count()).toBe(0)
    await close()
  })
})

describe('first steps', () => {
  test('an owner without datasets gets code that works, with a key that only the copy shows', async () => {
    const empty = await startServer()
    const opened = await openPage(browser, empty.url, { permissions: ['clipboard-read', 'clipboard-write'] })
    await haveSession(opened.page, empty.url)
    await opened.page.goto('/')
    await opened.page.getByRole('heading', { name: ui('features/home:none') }).waitFor()
    const example = opened.page
      .getByRole('listitem')
      .filter({ has: opened.page.getByRole('heading', { name: ui('features/examples:title.support') }) })
    await example.getByRole('button', { name: ui('features/examples:open') }).waitFor()
    expect(await opened.page.locator('pre').textContent()).not.toContain(empty.apiKey)
    await opened.page.getByRole('button', { name: ui('common:action.copy') }).click()
    await expect.poll(() => copied(opened.page)).toContain(`api_url="${empty.url}", api_key="${empty.apiKey}"`)
    await opened.close()
    await empty.stop()
  })
})

test('what a dataset is made of is told whole, in long words too, and begins at one edge', async () => {
  await givenAnnotation(server, { name: 'of everything', workspaceId: await givenWorkspace(server, 'rich'), records: [] })
  await givenDataset(server, { name: 'of little', workspaceId: await givenWorkspace(server, 'far-more-than-rich') })
  for (const size of [{}, PHONE]) {
    const { page, close } = await openPage(browser, server.url, { ...size, language: 'de' })
    await haveSession(page, server.url)
    await page.goto('/?workspaces=rich,far-more-than-rich')
    const types = row(page, 'of everything').getByText('Mehrere Labels')
    expect(await types.textContent()).toMatch(/^Felder: Text · Fragen: Ein Label, .*Text$/)
    const edges = page.locator('main li').getByText('Ein Label')
    expect(new Set(await edges.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left))).size).toBe(1)
    expect(await edges.count()).toBe(2)
    await expect.poll(() => types.evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0)
    await expect.poll(() => sideways(page)).toBe(0)
    expect(await violations(page)).toEqual([])
    await close()
  }
})
