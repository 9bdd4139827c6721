import { parquetWriteBuffer } from 'hyparquet-writer'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { applyTheme, findViolations, openPage, PHONE, THEMES } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { setUpTeamWithHub } from '../fixtures/hub.ts'
import { callAsOwner, PASSWORD, seedDataset, seedUser } from '../fixtures/seed.ts'
import { chooseRole, importEnded } from '../support/creation-form.ts'
import { createSession } from '../support/sign-in.ts'

const TOKEN = 'hf_thetokenofsomebody'
const team = setUpTeamWithHub()
beforeAll(async () => {
  team.hub.allow(TOKEN, ['team'])
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
  await seedUser(team.server, 'ann', 'annotator', [team.workspaceId])
})
afterEach(() => team.hub.intercept(null))

const features = {
  text: { dtype: 'string', _type: 'Value' },
  label: { names: ['bad', 'good'], _type: 'ClassLabel' },
  size: { dtype: 'int64', _type: 'Value' },
}
const file = (rows: number, word = 'Review') =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'text', data: Array.from({ length: rows }, (_, i) => `${word} number ${i}`), type: 'STRING' },
        { name: 'label', data: Array.from({ length: rows }, (_, i) => BigInt(i % 2)), type: 'INT64' },
        { name: 'size', data: Array.from({ length: rows }, (_, i) => BigInt(100 + i)), type: 'INT64' },
      ],
    }),
  )
const addToHub = (name: string) =>
  team.hub.put(name, [
    { subset: 'default', split: 'train', features, files: [file(120)], rows: 25_000 },
    { subset: 'default', split: 'test', features, files: [file(30, 'Tested')] },
  ])

const at = async (path: string, username = 'adam', options = {}) => {
  const opened = await openPage(team.browser, team.server.url, options)
  await createSession(opened.page, team.server.url, username, PASSWORD)
  await opened.page.goto(path)
  return opened
}
type Item = { readonly [key: string]: unknown } & { readonly id: string; readonly name: string }
const items = async (path: string): Promise<Item[]> => (await callAsOwner<{ items: Item[] }>(team.server, 'GET', path)).items
const preview = (page: Page) => page.getByRole('region', { name: ui('features/create:preview.title') })
const wider = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
const create = (page: Page) => page.getByRole('button', { name: ui('features/create:bar.createAndImport') }).click()

describe('a dataset from the Hub', () => {
  test('is created at the address that the SDK opens, with columns as chosen, and opened by its repository ID', async () => {
    addToHub('team/reviews')
    const { page, close, complaints } = await at('/new/team%2Freviews?subset=None&split=None')
    await chooseRole(page, 'text').waitFor()
    expect(await Promise.all(['text', 'label', 'size'].map((name) => chooseRole(page, name).inputValue()))).toEqual([
      'field',
      'question',
      'metadata',
    ])
    expect(await page.getByRole('textbox', { name: ui('features/create:about.name') }).inputValue()).toBe('reviews')
    await page.getByText(ui('features/hub:source.limitOf', { all: '25,000', limit: '10,000' })).waitFor()
    await preview(page).getByText('Review number 0').waitFor()
    await page.getByText(ui('features/create:check.good', { count: 100 })).waitFor()

    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size)
      for (const theme of THEMES) {
        await applyTheme(page, theme)
        expect([size.width, theme, await findViolations(page, theme === 'light' ? 'all' : 'colours')]).toEqual([
          size.width,
          theme,
          [],
        ])
      }
      await expect.poll(() => wider(page)).toBe(0)
    }
    await page.getByRole('combobox', { name: ui('features/hub:source.split') }).selectOption('test')
    await preview(page).getByText('Tested number 0').waitFor()
    await page.getByText(ui('features/hub:source.total', { count: 30, limit: '10,000' })).waitFor()
    await chooseRole(page, 'size').selectOption('none')
    await create(page)
    await page.waitForURL(/\/import$/)
    await page.getByText(importEnded({ created: 30 })).waitFor()
    await page.getByRole('heading', { name: 'team/reviews (default, test)' }).waitFor()

    const made = (await items('/me/datasets')).find(({ name }) => name === 'reviews')
    expect(made).toMatchObject({
      status: 'ready',
      metadata: {
        repoId: 'team/reviews',
        subset: 'default',
        split: 'test',
        imported: 'UI',
        mapping: { fields: [{ source: 'text' }] },
      },
    })
    const records = await items(`/datasets/${made?.id}/records?include=suggestions&limit=1000`)
    expect(records).toHaveLength(30)
    expect(records[1]).toMatchObject({
      external_id: 'test_1',
      fields: { text: 'Tested number 1' },
      suggestions: [{ value: 'good' }],
    })

    for (const path of ['/team/reviews', '/team%2Freviews']) {
      await page.goto(path)
      await page.waitForURL(new RegExp(`/dataset/${made?.id}/annotation-mode`))
      await page
        .getByText(/Tested number/)
        .first()
        .waitFor()
    }
    expect(complaints()).toEqual([])
    await close()
  })

  test('starts on the home page with a pasted ID or address', async () => {
    addToHub('team/pasted')
    await seedDataset(team.server, { name: 'something', workspaceId: team.workspaceId })
    const { page, close } = await at('/')
    await page.locator('main li a').first().waitFor()
    await page.waitForLoadState('networkidle')
    const box = page.getByRole('textbox', { name: ui('features/hub:start.label') })
    await box.fill('no id')
    await box.press('Enter')
    await page.getByText(ui('features/hub:start.fault')).waitFor()
    expect(await findViolations(page, 'all')).toEqual([])
    await box.fill('https://huggingface.co/datasets/team/pasted/viewer')
    await box.press('Enter')
    await page.waitForURL(/\/new\/team%2Fpasted$/)
    await chooseRole(page, 'text').waitFor()
    // Nothing has been entered that could be lost.
    await page.getByRole('link', { name: ui('common:nav.home') }).click()
    await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
    await close()
  })

  test('that was saved as a draft is continued with the same rows', async () => {
    addToHub('team/later')
    const { page, close } = await at('/new/team/later?split=test')
    await preview(page).getByText('Tested number 0').waitFor()
    await page.getByRole('button', { name: ui('features/create:bar.save') }).click()
    await page.waitForURL(/\/new\/[0-9a-f-]{36}$/)
    await page.reload()
    await preview(page).getByText('Tested number 0').waitFor()
    await page.getByRole('heading', { name: ui('features/create:titleOfDraft') }).waitFor()
    await create(page)
    await page.getByText(importEnded({ created: 30 })).waitFor()
    await close()
  })

  test("that is missing or can't be created leaves nothing behind", async () => {
    const { page, close } = await at('/team/nothing')
    await page.getByText(ui('features/hub:source.missing', { name: 'team/nothing' })).waitFor()
    expect(await findViolations(page, 'all')).toEqual([])
    await close()

    addToHub('team/refused')
    const before = (await items('/me/datasets')).length
    const second = await at('/new/team%2Frefused')
    await chooseRole(second.page, 'text').waitFor()
    await second.page.getByText(ui('features/create:check.good', { count: 100 })).waitFor()
    await second.page.route('**/import', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
    )
    await create(second.page)
    await second.page.getByText(uiPattern('features/create:bar.failed')).waitFor()
    expect(await items('/me/datasets')).toHaveLength(before)
    await second.close()
  })

  test('that is private is shown with a token, which is sent with the import only', async () => {
    const split = {
      subset: 'default',
      split: 'train',
      features,
      files: [file(20, 'Secret')],
    }
    team.hub.put('team/secret', [split], { isPrivate: true })
    const { page, close, complaints } = await at('/new/team%2Fsecret')
    await page.getByText(ui('features/hub:source.missing', { name: 'team/secret' })).waitFor()
    const token = page.getByLabel(ui('features/hub:token.label'))
    await token.fill('hf_anotherone')
    await page.keyboard.press('Enter')
    await page.getByText(ui('features/hub:token.refused')).waitFor()
    expect(await findViolations(page, 'all')).toEqual([])
    await token.fill(TOKEN)
    await page.keyboard.press('Enter')
    await chooseRole(page, 'text').waitFor()
    await page.getByText(ui('features/hub:source.private'), { exact: false }).first().waitFor()
    await page.getByText(ui('features/create:check.all', { count: 20 })).waitFor()
    await create(page)
    // Waits for the address instead of a record's text, which the preview shows even before the dataset exists.
    await page.waitForURL(/\/(import|annotation-mode)/)
    const made = (await items('/me/datasets')).find(({ name }) => name === 'secret')
    await expect
      .poll(async () => (await callAsOwner<{ total: number }>(team.server, 'GET', `/datasets/${made?.id}/progress`)).total)
      .toBe(20)
    expect(JSON.stringify(made)).not.toContain(TOKEN)
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]))
    expect(stored).not.toContain(TOKEN)
    expect(complaints()).toEqual([])
    await close()
  })

  test('is not available to annotators', async () => {
    const { page, close } = await at('/team/unknown', 'ann')
    await page.getByRole('heading', { name: `404 ${ui('common:error.notFound')}` }).waitFor()
    await close()
  })
})

describe('a push to the Hub', () => {
  const open = (page: Page) => page.getByRole('button', { name: ui('features/hub:push.title') }).click()

  test('reports what is missing, continues after a reload and reports its end', async () => {
    const id = await seedDataset(team.server, { name: 'to push', workspaceId: team.workspaceId, records: 3 })
    const { page, close, complaints } = await at(`/dataset/${id}/annotation-mode`)
    await open(page)
    const dialog = page.getByRole('dialog', { name: ui('features/hub:push.title') })
    await dialog.getByRole('button', { name: ui('features/hub:push.start'), exact: true }).click()
    await dialog.getByText(ui('features/hub:push.fault.ownerRequired')).waitFor()
    await dialog.getByText(`${ui('features/hub:push.fault.tokenRequired')}. ${ui('features/hub:push.tokenHint')}`).waitFor()
    expect(await dialog.getByRole('textbox', { name: ui('features/hub:push.name') }).inputValue()).toBe('to-push')
    await dialog.getByRole('textbox', { name: ui('features/hub:push.name') }).fill('')
    await dialog.getByText(ui('features/hub:push.fault.nameRequired')).waitFor()
    await dialog.getByLabel(ui('features/hub:push.token')).fill('not a token')
    await dialog.getByText(ui('features/hub:push.fault.tokenInvalid')).waitFor()
    await dialog.getByRole('textbox', { name: ui('features/hub:push.owner') }).fill('team')
    await dialog.getByRole('textbox', { name: ui('features/hub:push.name') }).fill('pushed')
    await dialog.getByLabel(ui('features/hub:push.token')).fill(TOKEN)
    expect(await findViolations(page, 'all')).toEqual([])
    // The Hub doesn't respond to this request until the fault is removed.
    team.hub.intercept(({ url }) => url.pathname === '/api/repos/create')
    await dialog.getByRole('button', { name: ui('features/hub:push.start'), exact: true }).click()
    await dialog.getByText(ui('features/hub:push.running', { name: 'team/pushed' })).waitFor()
    expect(await findViolations(page, 'all')).toEqual([])
    expect(await page.evaluate((token) => JSON.stringify({ ...localStorage }).includes(token), TOKEN)).toBe(false)

    await page.reload()
    await open(page)
    await dialog.getByText(ui('features/hub:push.running', { name: 'team/pushed' })).waitFor()
    await dialog.getByRole('button', { name: ui('features/hub:push.stop') }).click()
    await dialog.getByText(ui('features/hub:push.stopped', { name: 'team/pushed' })).waitFor()

    team.hub.intercept(null)
    await dialog.getByLabel(ui('features/hub:push.token')).fill(TOKEN)
    const sent = page.waitForRequest((request) => request.url().endsWith(`/datasets/${id}/export`))
    await dialog.getByRole('button', { name: ui('features/hub:push.start'), exact: true }).click()
    const body = { name: 'team/pushed', private: true, token: TOKEN, subset: 'default', split: 'train' }
    expect((await sent).postDataJSON()).toEqual(body)
    await dialog.getByText(ui('features/hub:push.done', { name: 'team/pushed' })).waitFor()
    expect([...(team.hub.repositories.get('team/pushed')?.files.keys() ?? [])]).toContain('data/train-00000-of-00001.parquet')
    expect(complaints()).toEqual([])
    await close()
  })

  test('refused by the Hub shows the reason, and fits on a phone in German', async () => {
    const id = await seedDataset(team.server, { name: 'refused', workspaceId: team.workspaceId, records: 1 })
    const { page, close } = await at(`/dataset/${id}/annotation-mode`, 'adam', { language: 'de', ...PHONE })
    await page.getByRole('button', { name: ui('features/annotate:more', {}, 'de') }).press('Enter')
    const hasFocus = (item: number) =>
      expect
        .poll(() =>
          page
            .getByRole('menu')
            .evaluate((menu) => [...menu.querySelectorAll('[role=menuitem]')].indexOf(document.activeElement!)),
        )
        .toBe(item)
    await hasFocus(0)
    await page.keyboard.press('ArrowDown')
    await hasFocus(1)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: ui('features/hub:push.title', {}, 'de') })
    await dialog.getByRole('textbox', { name: ui('features/hub:push.owner', {}, 'de') }).fill('others')
    await dialog.getByLabel(ui('features/hub:push.token', {}, 'de')).fill(TOKEN)
    await dialog.getByRole('button', { name: ui('features/hub:push.start', {}, 'de'), exact: true }).click()
    const reason = /.*no write access to others\/refused.*/
    const failed = uiPattern('features/hub:push.failed', { name: 'others/refused', reason }, { language: 'de' })
    await dialog.getByText(failed).waitFor()
    await expect.poll(() => wider(page)).toBe(0)
    expect(await findViolations(page, 'all')).toEqual([])
    // The pressed button is gone, but the focus stays in the dialog.
    await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    const more = page.getByRole('button', { name: ui('features/annotate:more', {}, 'de') })
    await expect.poll(() => more.evaluate((button) => button === document.activeElement)).toBe(true)
    // The dataset's name gets all the space that the buttons don't need.
    const name = page.locator('header nav a[aria-current]')
    await expect.poll(() => name.evaluate((link) => link.scrollWidth - link.clientWidth)).toBe(0)
    await close()
  })
})
