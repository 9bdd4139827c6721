import { parquetWriteBuffer } from 'hyparquet-writer'
import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { asOwner, givenDataset, givenUser, PASSWORD } from '../ground/given.ts'
import { setUpTeamWithHub } from '../ground/hub.ts'
import { form, givenSettings, openSettings, saved, update } from '../ground/settings.ts'
import { becomes, choose } from '../support/creating.ts'
import { haveSession, signIn } from '../support/sign-in.ts'

const team = setUpTeamWithHub()
beforeAll(async () => {
  await givenUser(team.server, 'adam', 'admin', [team.workspaceId])
  await givenUser(team.server, 'eve', 'admin', [team.workspaceId])
})
afterEach(() => team.hub.meddle(null))

/** Ends the session on the server just before the next request that changes something: the page does not know. */
const endSession = async (context: BrowserContext): Promise<void> => {
  let isOver = false
  await context.route('**/api/v1/**', async (route) => {
    if (isOver || route.request().method() === 'GET') return route.continue()
    isOver = true
    const { origin } = new URL(team.server.url)
    await context.request.delete('/api/v1/session', { headers: { 'x-postil-csrf': '1', origin } })
    await route.continue()
  })
}
const TOKEN = 'hf_thetokenofsomebody'
const guidelines = 'Say what the text is about.\n\n'.repeat(40)
const typed = (page: Page) =>
  form(page, ui('features/annotate:guidelines.title')).getByRole('textbox', { name: ui('features/annotate:guidelines.title') })

const atNew = async (path = '/new') => {
  const opened = await openPage(team.browser, team.server.url)
  await haveSession(opened.page, team.server.url, 'adam', PASSWORD)
  await opened.page.goto(path)
  return opened
}
const name = (page: Page) => page.getByRole('textbox', { name: ui('features/create:about.name') })
const part = (page: Page, title: string) => page.getByRole('listitem', { name: title, exact: true })

describe('what is typed in settings when the session ends', () => {
  test('is there after the next sign-in, as not saved yet, in every part, and can be saved', async () => {
    const id = await givenSettings(team, 'over')
    const { page, context, close, complaints } = await openSettings(team, id, 'fields', 'adam')
    await form(page, 'Text')
      .getByRole('textbox', { name: ui('features/create:part.title') })
      .fill('What they wrote')
    await page.getByRole('link', { name: /^General/ }).click()
    await typed(page).fill(guidelines)
    await endSession(context)
    await update(page, ui('features/annotate:guidelines.title')).click()
    await page.waitForURL('**/sign-in')
    await signIn(page, 'adam', PASSWORD)
    await form(page, ui('features/annotate:guidelines.title')).getByText(ui('features/settings:unsaved')).waitFor()
    expect(page.url()).toContain(`/dataset/${id}/settings?tab=general`)
    expect(await typed(page).inputValue()).toBe(guidelines)
    await update(page, ui('features/annotate:guidelines.title')).click()
    await saved(page, ui('features/annotate:guidelines.title'))
    expect(await asOwner(team.server, 'GET', `/datasets/${id}`)).toMatchObject({ guidelines: guidelines.trim() })
    await page.getByRole('link', { name: /^Fields/ }).click()
    await form(page, 'Text').getByText(ui('features/settings:unsaved')).waitFor()
    expect(
      await form(page, 'Text')
        .getByRole('textbox', { name: ui('features/create:part.title') })
        .inputValue(),
    ).toBe('What they wrote')
    expect(complaints()).toEqual([])
    await close()
  })

  test('is there too when the page is loaded in between, as by the way to a provider', async () => {
    const id = await givenSettings(team, 'loaded')
    const { page, context, close } = await openSettings(team, id, 'general', 'adam')
    await typed(page).fill(guidelines)
    await endSession(context)
    await update(page, ui('features/annotate:guidelines.title')).click()
    await page.waitForURL('**/sign-in')
    await page.reload()
    await signIn(page, 'adam', PASSWORD)
    await form(page, ui('features/annotate:guidelines.title')).getByText(ui('features/settings:unsaved')).waitFor()
    expect(await typed(page).inputValue()).toBe(guidelines)
    await close()
  })

  test('is for nobody else, and not for who has signed out since', async () => {
    const id = await givenSettings(team, 'others')
    const { page, context, close } = await openSettings(team, id, 'general', 'adam')
    await typed(page).fill('Mine alone')
    await endSession(context)
    await update(page, ui('features/annotate:guidelines.title')).click()
    await page.waitForURL('**/sign-in')
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).toContain('Mine alone')
    await signIn(page, 'eve', PASSWORD)
    await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Mine alone')
    await page.getByRole('link', { name: 'others' }).first().click()
    await page.getByRole('link', { name: ui('features/annotate:settings') }).click()
    await typed(page).waitFor()
    expect(await typed(page).inputValue()).not.toBe('Mine alone')
    await page.getByRole('button', { name: /^eve:/ }).click()
    await page.getByRole('menuitem', { name: ui('common:user.signOut') }).click()
    await page.waitForURL('**/sign-in')
    await signIn(page, 'adam', PASSWORD)
    await page.goto(`/dataset/${id}/settings?tab=general`)
    await typed(page).waitFor()
    expect(await typed(page).inputValue()).not.toBe('Mine alone')
    await close()
  })
})

describe('a new dataset in the form when the session ends', () => {
  test('is there after the next sign-in, and can be saved', async () => {
    const { page, context, close, complaints } = await atNew()
    await page.getByRole('button', { name: ui('features/create:start.nothingAction') }).click()
    await name(page).fill('half made')
    await page.getByRole('button', { name: ui('features/create:fields.add') }).click()
    await page.getByRole('menuitem', { name: 'Text' }).click()
    await page.getByRole('button', { name: ui('features/create:questions.add') }).click()
    await page.getByRole('menuitem', { name: ui('features/home:questionType.rating') }).click()
    await page.getByRole('textbox', { name: ui('features/annotate:guidelines.title') }).fill(guidelines)
    await endSession(context)
    await page.getByRole('button', { name: ui('features/profile:keys.deed.saveDraft') }).click()
    await page.waitForURL('**/sign-in')
    // Parts that are added later are not taken for those that were there.
    await page.reload()
    await signIn(page, 'adam', PASSWORD)
    await expect.poll(() => name(page).inputValue()).toBe('half made')
    expect(await page.getByRole('textbox', { name: ui('features/annotate:guidelines.title') }).inputValue()).toBe(guidelines)
    await page.getByRole('button', { name: ui('features/create:questions.add') }).click()
    await page.getByRole('menuitem', { name: 'Text' }).click()
    await page.getByRole('button', { name: ui('features/profile:keys.deed.saveDraft') }).click()
    await page.waitForURL(/\/new\/[0-9a-f-]{36}$/)
    const id = page.url().split('/').at(-1)
    const { items } = await asOwner<{ items: unknown[] }>(team.server, 'GET', `/datasets/${id}/questions`)
    expect(items).toMatchObject([{ settings: { type: 'rating' } }, { settings: { type: 'text' } }])
    expect(complaints()).toEqual([])
    await close()
  })

  test('of a private dataset of the hub is there once the token is given again, which is kept nowhere', async () => {
    const columnData = [{ name: 'text', data: ['One', 'Two'], type: 'STRING' as const }]
    const files = [new Uint8Array(parquetWriteBuffer({ columnData }))]
    const features = { text: { dtype: 'string', _type: ui('features/annotate:filters.part.value') } }
    team.hub.put('team/closed', [{ subset: 'en', split: 'train', features, files }], { isPrivate: true })
    team.hub.allow(TOKEN, ['team'])
    const { page, context, close } = await atNew('/new/team%2Fclosed')
    const give = async (): Promise<void> => {
      await page.getByLabel(ui('features/hub:token.label')).fill(TOKEN)
      await page.keyboard.press('Enter')
      await name(page).waitFor()
    }
    await give()
    await name(page).fill('of my own')
    await part(page, 'text')
      .getByRole('textbox', { name: ui('features/create:part.title') })
      .fill('What they say')
    await endSession(context)
    await page.getByRole('button', { name: ui('features/profile:keys.deed.saveDraft') }).click()
    await page.waitForURL('**/sign-in')
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(TOKEN)
    await signIn(page, 'adam', PASSWORD)
    await give()
    expect(await name(page).inputValue()).toBe('of my own')
    expect(
      await part(page, 'What they say')
        .getByRole('textbox', { name: ui('features/create:part.title') })
        .inputValue(),
    ).toBe('What they say')
    await page.getByText(ui('features/create:check.all', { count: 2 })).waitFor()
    await close()
  })
})

describe('what the columns of a file become when the session ends', () => {
  const rows = 'id,text,note\na,First.,x\nb,Second.,y\n'
  /** Says at the wrong time that another column is the text. */
  const mapped = async (dataset: string) => {
    const id = await givenDataset(team.server, { name: dataset, workspaceId: team.workspaceId })
    const opened = await atNew(`/dataset/${id}/import`)
    const { page, context } = opened
    await choose(page, 'rows.csv', rows)
    await page.getByText(ui('features/create:check.all', { count: 2 })).waitFor()
    await endSession(context)
    await becomes(page, 'note').selectOption('fields:text')
    await page.waitForURL('**/sign-in')
    return { ...opened, id }
  }

  test('is there after the next sign-in, with the file, also when the page is loaded in between, and is imported', async () => {
    const { page, id, close, complaints } = await mapped('mapped')
    await page.reload()
    await signIn(page, 'adam', PASSWORD)
    await expect.poll(() => becomes(page, 'note').inputValue()).toBe('fields:text')
    expect(await becomes(page, 'text').inputValue()).toBe('none')
    await page.getByText(ui('features/create:check.all', { count: 2 })).waitFor()
    await page.getByRole('button', { name: ui('features/create:imports.start') }).click()
    await page.getByText('Done: 2 new records.').waitFor({ timeout: 120_000 })
    const { items } = await asOwner<{ items: unknown[] }>(team.server, 'GET', `/datasets/${id}/records`)
    expect(items).toMatchObject([{ fields: { text: 'x' } }, { fields: { text: 'y' } }])
    // What is under way is no form any more.
    await page.reload()
    await page.getByText('Done: 2 new records.').waitFor()
    expect(await page.evaluate(() => sessionStorage.getItem('postil.unsaved'))).toBeNull()
    expect(complaints()).toEqual([])
    await close()
  })

  test('is for nobody else, and for no other dataset', async () => {
    const { page, id, close } = await mapped('mapped for nobody else')
    const other = await givenDataset(team.server, { name: 'not mapped', workspaceId: team.workspaceId })
    await page.goto(`/dataset/${other}/import`)
    // From there on it is known where to return to.
    await page.waitForURL('**/sign-in')
    await signIn(page, 'adam', PASSWORD)
    await page.getByText(ui('features/create:file.choose')).first().waitFor()
    expect(await becomes(page, 'note').count()).toBe(0)
    // It waits where it was made.
    expect(await page.evaluate(() => sessionStorage.getItem('postil.unsaved'))).toContain('rows.csv')
    await page.getByRole('button', { name: /^adam:/ }).click()
    await page.getByRole('menuitem', { name: ui('common:user.signOut') }).click()
    await page.waitForURL('**/sign-in')
    await signIn(page, 'eve', PASSWORD)
    await page.goto(`/dataset/${id}/import`)
    await page.getByText(ui('features/create:file.choose')).first().waitFor()
    expect(await becomes(page, 'note').count()).toBe(0)
    await close()
  })
})
