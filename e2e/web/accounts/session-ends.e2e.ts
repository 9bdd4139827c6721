import { parquetWriteBuffer } from 'hyparquet-writer'
import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { setUpTeamWithHub } from '../fixtures/hub.ts'
import { callAsOwner, PASSWORD, seedDataset, seedUser } from '../fixtures/seed.ts'
import { expectSaved, formNamed, openSettings, seedSettingsDataset, updateButton } from '../fixtures/settings.ts'
import { choose, chooseRole, importEnded } from '../support/creation-form.ts'
import { createSession, signIn } from '../support/sign-in.ts'

const team = setUpTeamWithHub()
beforeAll(async () => {
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
  await seedUser(team.server, 'eve', 'admin', [team.workspaceId])
})
afterEach(() => team.hub.intercept(null))

/** Ends the session on the server just before the next request that changes something, without the page noticing. */
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
  formNamed(page, ui('features/settings:general.guidelines')).getByRole('textbox', {
    name: ui('features/settings:general.guidelines'),
  })

const atNew = async (path = '/new') => {
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url, 'adam', PASSWORD)
  await opened.page.goto(path)
  return opened
}
const name = (page: Page) => page.getByRole('textbox', { name: ui('features/create:about.name') })
const part = (page: Page, title: string) => page.getByRole('listitem', { name: title, exact: true })

describe('unsaved settings when the session ends', () => {
  test('are restored after the next sign-in in every section, and can be saved', async () => {
    const id = await seedSettingsDataset(team, 'over')
    const { page, context, close, complaints } = await openSettings(team, id, 'fields', 'adam')
    await formNamed(page, 'Text')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('What they wrote')
    await page.getByRole('link', { name: ui('features/settings:section.general') }).click()
    await typed(page).fill(guidelines)
    await endSession(context)
    await updateButton(page, ui('features/settings:general.guidelines')).click()
    await page.waitForURL('**/sign-in')
    await signIn(page, 'adam', PASSWORD)
    await formNamed(page, ui('features/settings:general.guidelines')).getByText(ui('features/settings:unsaved')).waitFor()
    expect(page.url()).toContain(`/dataset/${id}/settings?tab=general`)
    expect(await typed(page).inputValue()).toBe(guidelines)
    await updateButton(page, ui('features/settings:general.guidelines')).click()
    await expectSaved(page, ui('features/settings:general.guidelines'))
    expect(await callAsOwner(team.server, 'GET', `/datasets/${id}`)).toMatchObject({ guidelines: guidelines.trim() })
    await page.getByRole('link', { name: ui('features/settings:section.fields') }).click()
    await formNamed(page, 'Text').getByText(ui('features/settings:unsaved')).waitFor()
    expect(
      await formNamed(page, 'Text')
        .getByRole('textbox', { name: ui('features/settings:itemTitle') })
        .inputValue(),
    ).toBe('What they wrote')
    expect(complaints()).toEqual([])
    await close()
  })

  test('are also restored if the page is reloaded in between, as for a provider', async () => {
    const id = await seedSettingsDataset(team, 'loaded')
    const { page, context, close } = await openSettings(team, id, 'general', 'adam')
    await typed(page).fill(guidelines)
    await endSession(context)
    await updateButton(page, ui('features/settings:general.guidelines')).click()
    await page.waitForURL('**/sign-in')
    await page.reload()
    await signIn(page, 'adam', PASSWORD)
    await formNamed(page, ui('features/settings:general.guidelines')).getByText(ui('features/settings:unsaved')).waitFor()
    expect(await typed(page).inputValue()).toBe(guidelines)
    await close()
  })

  test('are not shown to another user, or to a user who has signed out since', async () => {
    const id = await seedSettingsDataset(team, 'others')
    const { page, context, close } = await openSettings(team, id, 'general', 'adam')
    await typed(page).fill('Mine alone')
    await endSession(context)
    await updateButton(page, ui('features/settings:general.guidelines')).click()
    await page.waitForURL('**/sign-in')
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).toContain('Mine alone')
    await signIn(page, 'eve', PASSWORD)
    await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Mine alone')
    await page.getByRole('link', { name: 'others' }).first().click()
    await page.getByRole('link', { name: ui('features/annotate:settings') }).click()
    await typed(page).waitFor()
    expect(await typed(page).inputValue()).not.toBe('Mine alone')
    await page.getByRole('button', { name: ui('common:user.menu', { username: 'eve' }) }).click()
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
  test('is restored after the next sign-in and can be saved', async () => {
    const { page, context, close, complaints } = await atNew()
    await page.getByRole('button', { name: ui('features/create:start.nothingAction') }).click()
    await name(page).fill('half made')
    await page.getByRole('button', { name: ui('features/create:fields.add') }).click()
    await page.getByRole('menuitem', { name: ui('field-types/text:name') }).click()
    await page.getByRole('button', { name: ui('features/create:questions.add') }).click()
    await page.getByRole('menuitem', { name: ui('question-types/rating:name') }).click()
    await page.getByRole('textbox', { name: ui('features/create:work.guidelines') }).fill(guidelines)
    await endSession(context)
    await page.getByRole('button', { name: ui('features/create:bar.save') }).click()
    await page.waitForURL('**/sign-in')
    // Reloads, because questions added after a reload must not replace the restored questions.
    await page.reload()
    await signIn(page, 'adam', PASSWORD)
    await expect.poll(() => name(page).inputValue()).toBe('half made')
    expect(await page.getByRole('textbox', { name: ui('features/create:work.guidelines') }).inputValue()).toBe(guidelines)
    await page.getByRole('button', { name: ui('features/create:questions.add') }).click()
    await page.getByRole('menuitem', { name: ui('question-types/text:name') }).click()
    await page.getByRole('button', { name: ui('features/create:bar.save') }).click()
    await page.waitForURL(/\/new\/[0-9a-f-]{36}$/)
    const id = page.url().split('/').at(-1)
    const { items } = await callAsOwner<{ items: unknown[] }>(team.server, 'GET', `/datasets/${id}/questions`)
    expect(items).toMatchObject([{ settings: { type: 'rating' } }, { settings: { type: 'text' } }])
    expect(complaints()).toEqual([])
    await close()
  })

  test('from a private Hub dataset is restored after the token is entered again, and the token is never stored', async () => {
    const columnData = [{ name: 'text', data: ['One', 'Two'], type: 'STRING' as const }]
    const files = [new Uint8Array(parquetWriteBuffer({ columnData }))]
    const features = { text: { dtype: 'string', _type: 'Value' } }
    team.hub.put('team/closed', [{ subset: 'en', split: 'train', features, files }], { isPrivate: true })
    team.hub.allow(TOKEN, ['team'])
    const { page, context, close } = await atNew('/new/team%2Fclosed')
    const holdAnswer = async (): Promise<void> => {
      await page.getByLabel(ui('features/hub:token.label')).fill(TOKEN)
      await page.keyboard.press('Enter')
      await name(page).waitFor()
    }
    await holdAnswer()
    await name(page).fill('of my own')
    await part(page, 'text')
      .getByRole('textbox', { name: ui('features/create:part.title') })
      .fill('What they say')
    await endSession(context)
    await page.getByRole('button', { name: ui('features/create:bar.save') }).click()
    await page.waitForURL('**/sign-in')
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(TOKEN)
    await signIn(page, 'adam', PASSWORD)
    await holdAnswer()
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

describe('column choices for a file when the session ends', () => {
  const rows = 'id,text,note\na,First.,x\nb,Second.,y\n'
  /** Maps another column to the field `text` just after the session has ended. */
  const mapped = async (dataset: string) => {
    const id = await seedDataset(team.server, { name: dataset, workspaceId: team.workspaceId })
    const opened = await atNew(`/dataset/${id}/import`)
    const { page, context } = opened
    await choose(page, 'rows.csv', rows)
    await page.getByText(ui('features/create:check.all', { count: 2 })).waitFor()
    await endSession(context)
    await chooseRole(page, 'note').selectOption('fields:text')
    await page.waitForURL('**/sign-in')
    return { ...opened, id }
  }

  test('are restored with the file after the next sign-in, even after a reload, and can be imported', async () => {
    const { page, id, close, complaints } = await mapped('mapped')
    await page.reload()
    await signIn(page, 'adam', PASSWORD)
    await expect.poll(() => chooseRole(page, 'note').inputValue()).toBe('fields:text')
    expect(await chooseRole(page, 'text').inputValue()).toBe('none')
    await page.getByText(ui('features/create:check.all', { count: 2 })).waitFor()
    await page.getByRole('button', { name: ui('features/create:imports.start') }).click()
    await page.getByText(importEnded({ created: 2 })).waitFor({ timeout: 120_000 })
    const { items } = await callAsOwner<{ items: unknown[] }>(team.server, 'GET', `/datasets/${id}/records`)
    expect(items).toMatchObject([{ fields: { text: 'x' } }, { fields: { text: 'y' } }])
    // Once the import is running, the form has no unsaved changes.
    await page.reload()
    await page.getByText(importEnded({ created: 2 })).waitFor()
    expect(await page.evaluate(() => sessionStorage.getItem('postil.unsaved'))).toBeNull()
    expect(complaints()).toEqual([])
    await close()
  })

  test('are not shown to another user or for another dataset', async () => {
    const { page, id, close } = await mapped('mapped for nobody else')
    const other = await seedDataset(team.server, { name: 'not mapped', workspaceId: team.workspaceId })
    await page.goto(`/dataset/${other}/import`)
    // The page to return to is stored before this redirect.
    await page.waitForURL('**/sign-in')
    await signIn(page, 'adam', PASSWORD)
    await page.getByText(ui('features/create:file.choose')).first().waitFor()
    expect(await chooseRole(page, 'note').count()).toBe(0)
    // The mapping stays stored for its own dataset.
    expect(await page.evaluate(() => sessionStorage.getItem('postil.unsaved'))).toContain('rows.csv')
    await page.getByRole('button', { name: ui('common:user.menu', { username: 'adam' }) }).click()
    await page.getByRole('menuitem', { name: ui('common:user.signOut') }).click()
    await page.waitForURL('**/sign-in')
    await signIn(page, 'eve', PASSWORD)
    await page.goto(`/dataset/${id}/import`)
    await page.getByText(ui('features/create:file.choose')).first().waitFor()
    expect(await chooseRole(page, 'note').count()).toBe(0)
    await close()
  })
})
