import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openPage, violations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { QUESTIONS } from '../ground/annotation.ts'
import { asOwner, givenDataset, givenUser, PASSWORD } from '../ground/given.ts'
import { form, givenSettings, openSettings, saved, update } from '../ground/settings.ts'
import { setUpTeam } from '../ground/team.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()
beforeAll(async () => {
  await givenUser(team.server, 'ann', 'annotator', [team.workspaceId])
  await givenUser(team.server, 'adam', 'admin', [team.workspaceId])
  await givenUser(team.server, 'otto', 'admin', [])
})

const given = (name: string, more: object = {}) => givenSettings(team, name, more)
const atSettings = (id: string, tab: string, username = 'adam') => openSettings(team, id, tab, username)
const isBlocked = (page: Page, title: string) => update(page, title).getAttribute('aria-disabled')

type Item = { readonly [key: string]: unknown } & { readonly title: string }
const items = async (path: string): Promise<Item[]> => (await asOwner<{ items: Item[] }>(team.server, 'GET', path)).items
const dataset = (id: string) => asOwner<{ [key: string]: unknown }>(team.server, 'GET', `/datasets/${id}`)

describe('what can be changed', () => {
  test('how records are handed out: in which order, to whom and how many', async () => {
    const id = await given('handed out', { records: [{ fields: { text: 'One.' } }, { fields: { text: 'Two.' } }] })
    const { page, close, complaints } = await atSettings(id, 'general')
    const title = ui('features/settings:handingOut.title')
    await page.getByRole('combobox', { name: 'Order' }).selectOption({ label: 'Tone: lowest suggestion score first' })
    await page
      .getByRole('combobox', { name: ui('features/settings:handingOut.assigned') })
      .selectOption({ label: 'Who is named in Source' })
    await page.getByRole('spinbutton', { name: ui('features/settings:handingOut.most') }).fill('0')
    await page.getByText(ui('features/settings:fault.wholeNumber', { min: '1' })).waitFor()
    await expect.poll(() => isBlocked(page, title)).toBe('true')
    await page.getByRole('spinbutton', { name: ui('features/settings:handingOut.most') }).fill('25')
    await update(page, title).click()
    await saved(page, title)
    expect(await asOwner(team.server, 'GET', `/datasets/${id}/queue-settings`)).toEqual({
      order: [{ scope: { entity: 'suggestion', question: 'tone', property: 'score' }, order: 'asc' }],
      assigned_by: 'source',
      assigned: true,
      max_per_person: 25,
    })
    await page.reload()
    await expect
      .poll(() => page.getByRole('spinbutton', { name: ui('features/settings:handingOut.most') }).inputValue())
      .toBe('25')
    expect(complaints()).toEqual([])
    await close()
  })

  test('guidelines are written, looked at and saved; none at all is refused', async () => {
    const id = await given('guided')
    const { page, close, complaints } = await atSettings(id, 'general')
    await page.getByRole('textbox', { name: ui('features/settings:general.guidelines') }).fill('  # Be kind\n\nAnd **quick**.  ')
    await page.getByRole('button', { name: ui('features/settings:general.preview') }).click()
    await page.getByRole('heading', { name: 'Be kind' }).waitFor()
    await page.getByRole('button', { name: ui('features/settings:general.write') }).click()
    await update(page, ui('features/settings:general.guidelines')).click()
    await saved(page, ui('features/settings:general.guidelines'))
    expect((await dataset(id))['guidelines']).toBe('# Be kind\n\nAnd **quick**.')
    await page.getByRole('textbox', { name: ui('features/settings:general.guidelines') }).fill('  \n ')
    await page.getByText(ui('features/settings:fault.required')).waitFor()
    await expect.poll(() => isBlocked(page, ui('features/settings:general.guidelines'))).toBe('true')
    await form(page, ui('features/settings:general.guidelines'))
      .getByRole('button', { name: ui('features/settings:cancel') })
      .click()
    await expect
      .poll(() => page.getByRole('textbox', { name: ui('features/settings:general.guidelines') }).inputValue())
      .toBe('# Be kind\n\nAnd **quick**.')
    expect(complaints()).toEqual([])
    await close()
  })

  test('the distribution, until there are answers: then what is stored is shown, and the change can be had back', async () => {
    const id = await given('distributed')
    const { page, close } = await atSettings(id, 'general')
    const number = page.getByRole('spinbutton', { name: ui('features/settings:general.minSubmitted') })
    await number.fill('0')
    await expect.poll(() => isBlocked(page, ui('features/settings:general.distribution'))).toBe('true')
    await number.fill('3')
    await number.press('Enter')
    await saved(page, ui('features/settings:general.distribution'))
    expect((await dataset(id))['distribution']).toEqual({ strategy: 'overlap', min_submitted: 3 })
    const [record] = await items(`/datasets/${id}/records`)
    await asOwner(team.server, 'POST', `/records/${record?.['id']}/responses`, { status: 'discarded', values: {} })
    await number.fill('4')
    await update(page, ui('features/settings:general.distribution')).click()
    await page.getByRole('alert').getByText("Distribution settings can't be modified").waitFor()
    await expect.poll(() => number.inputValue()).toBe('3')
    await page.getByRole('button', { name: ui('features/settings:bringBack') }).click()
    await expect.poll(() => number.inputValue()).toBe('4')
    await close()
  })

  test('a field: its title, its own name when there is none, and markdown', async () => {
    const id = await given('fields')
    const { page, close } = await atSettings(id, 'fields')
    await form(page, 'Text')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('The text')
    await form(page, 'Text')
      .getByRole('switch', { name: ui('field-types/text:useMarkdown') })
      .check()
    await update(page, 'Text').click()
    await form(page, 'The text').waitFor()
    expect(await items(`/datasets/${id}/fields`)).toMatchObject([{ title: 'The text', settings: { use_markdown: true } }])
    await form(page, 'The text')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('x'.repeat(501))
    await page.getByText(ui('features/settings:fault.tooLong', { max: '500' })).waitFor()
    await form(page, 'The text')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill(' ')
    await update(page, 'The text').click()
    await form(page, 'text').waitFor()
    expect(await items(`/datasets/${id}/fields`)).toMatchObject([{ title: 'text' }])
    await close()
  })

  test('a question: words, the order of labels by keyboard and by pointer, how many are shown, with a preview', async () => {
    const id = await given('asked')
    const { page, close, complaints } = await atSettings(id, 'questions')
    const topics = form(page, 'Topics')
    const preview = page.getByRole('region', { name: /^Preview of (Topics|Subjects)$/ })
    await topics.getByRole('textbox', { name: ui('features/settings:itemTitle') }).fill('Subjects')
    await topics.getByRole('textbox', { name: ui('features/settings:description') }).fill('All that it is about.')
    await preview.getByText('Subjects').waitFor()
    await preview.getByText('All that it is about.').waitFor()
    const down = topics.getByRole('button', { name: ui('question-types/shared:options.down', { label: 'Topic 01' }) })
    await down.focus()
    const firstTexts = () =>
      topics.locator('ol > li > input').evaluateAll((all) => all.slice(0, 3).map((one) => one.getAttribute('value')))
    for (const order of [
      ['Topic 02', 'Topic 01', 'Topic 03'],
      ['Topic 02', 'Topic 03', 'Topic 01'],
    ]) {
      await page.keyboard.press('Enter')
      await expect.poll(firstTexts).toEqual(order)
      // A row that moves has the focus again a moment later.
      await expect.poll(() => down.evaluate((button) => button === document.activeElement)).toBe(true)
    }
    const grips = topics.locator('ol > li > [aria-hidden=true]')
    await grips.nth(0).hover({ position: { x: 5, y: 10 } })
    const to = await grips.nth(1).boundingBox()
    if (!to) throw new Error('no grips')
    await page.mouse.down()
    await page.mouse.move(to.x + 5, to.y + 10, { steps: 5 })
    await page.mouse.up()
    await topics.getByRole('textbox', { name: ui('question-types/shared:options.text', { value: 'topic-04' }) }).fill('Fourth')
    await topics.getByRole('slider').fill('4')
    await topics.getByRole('switch', { name: ui('question-types/multi_label_selection:suggestionsFirst') }).check()
    await expect.poll(() => preview.locator('[role=checkbox], [role=option], [aria-pressed]').allInnerTexts()).toHaveLength(4)
    await update(page, 'Topics').click()
    await form(page, 'Subjects').waitFor()
    const changed = (await items(`/datasets/${id}/questions`)).find(({ name }) => name === 'topics')
    expect(changed).toMatchObject({ title: 'Subjects', description: 'All that it is about.' })
    const settings = changed?.['settings'] as { options: { text: string }[]; visible_options: number; options_order: string }
    expect(settings.options.slice(0, 4).map(({ text }) => text)).toEqual(['Topic 03', 'Topic 02', 'Topic 01', 'Fourth'])
    expect(settings.options).toHaveLength(QUESTIONS.topics.settings.options.length)
    expect([settings.visible_options, settings.options_order]).toEqual([4, 'suggestion'])
    await form(page, 'Tone')
      .getByRole('textbox', { name: ui('question-types/shared:options.text', { value: 'neutral' }) })
      .fill(' ')
    await page.getByRole('alert').getByText(ui('question-types/shared:fault.empty')).waitFor()
    await expect.poll(() => isBlocked(page, 'Tone')).toBe('true')
    expect(complaints()).toEqual([])
    await close()
  })

  test('two labels of a question have two texts: the second of them says so', async () => {
    const id = await given('twice')
    const { page, close, complaints } = await atSettings(id, 'questions')
    const text = (value: string) =>
      form(page, 'Tone').getByRole('textbox', { name: ui('question-types/shared:options.text', { value }) })
    await text('neutral').fill(' Positive ')
    const fault = form(page, 'Tone').getByRole('alert')
    await fault.getByText(ui('question-types/shared:fault.twice'), { exact: true }).waitFor()
    const described = (await text('neutral').getAttribute('aria-describedby')) ?? 'none'
    expect(await fault.getAttribute('id')).toBe(described)
    expect([await text('neutral').getAttribute('aria-invalid'), await text('positive').getAttribute('aria-invalid')]).toEqual([
      'true',
      null,
    ])
    await expect.poll(() => isBlocked(page, 'Tone')).toBe('true')
    expect(await violations(page)).toEqual([])
    await text('positive').fill('Good')
    await fault.waitFor({ state: 'detached' })
    await update(page, 'Tone').click()
    await saved(page, 'Tone')
    expect(complaints()).toEqual([])
    await close()
  })

  test('a question about places in a text is previewed with a text and its labels', async () => {
    const id = await given('marked')
    const { page, close } = await atSettings(id, 'questions')
    const preview = page.getByRole('region', { name: ui('features/settings:questions.preview', { title: 'Entities' }) })
    await preview.getByText(ui('features/settings:questions.sample', { title: 'Text' })).waitFor()
    await preview.getByText('Place', { exact: true }).click()
    await form(page, 'Entities')
      .getByRole('textbox', { name: ui('question-types/shared:options.text', { value: 'person' }) })
      .fill('Somebody')
    await preview.getByText('Somebody', { exact: true }).waitFor()
    await close()
  })

  test('metadata and vectors', async () => {
    const id = await given('known')
    const { page, close } = await atSettings(id, 'metadata')
    await page.getByRole('switch', { name: ui('features/settings:metadata.allowExtra') }).uncheck()
    await update(page, ui('features/settings:metadata.extra')).click()
    await saved(page, ui('features/settings:metadata.extra'))
    await form(page, 'Source')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('Where from')
    await form(page, 'Source').getByRole('switch').uncheck()
    await update(page, 'Source').click()
    await form(page, 'Where from').waitFor()
    expect((await dataset(id))['allow_extra_metadata']).toBe(false)
    expect(await items(`/me/datasets/${id}/metadata-properties`)).toMatchObject([
      { title: 'Where from', visible_for_annotators: false },
    ])
    await page.getByRole('link', { name: /^Vectors/ }).click()
    await form(page, 'Words')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('Bag of words')
    await update(page, 'Words').click()
    await form(page, 'Bag of words').waitFor()
    expect(await items(`/datasets/${id}/vectors-settings`)).toMatchObject([{ title: 'Bag of words', dimensions: 3 }])
    await close()
  })

  test('a draft is published when it is whole, and told what it lacks when it is not', async () => {
    const id = await givenDataset(team.server, { name: 'a draft', workspaceId: team.workspaceId, publish: false })
    const { page, close } = await atSettings(id, 'general')
    await page.getByRole('button', { name: ui('features/settings:general.publish') }).click()
    await page.getByText(ui('features/home:drafts', { number: 'This dataset is a' })).waitFor({ state: 'detached' })
    expect((await dataset(id))['status']).toBe('ready')
    const bare = await asOwner(team.server, 'POST', '/datasets', { name: 'a bare draft', workspace_id: team.workspaceId })
    const other = await atSettings(bare.id, 'general')
    await other.page.getByRole('button', { name: ui('features/settings:general.publish') }).click()
    await other.page
      .getByRole('alert')
      .getByText(/without fields/)
      .waitFor()
    await other.page.getByText(ui('features/home:drafts', { number: 'This dataset is a' })).waitFor()
    // What it lacks can be added where it is gone on with.
    await other.page.getByRole('link', { name: ui('features/settings:general.goOn') }).click()
    await other.page.getByRole('button', { name: ui('features/create:fields.add') }).waitFor()
    expect(await other.page.getByRole('textbox', { name: ui('features/create:about.name') }).inputValue()).toBe(
      ui('features/home:drafts', { number: 'a bare' }),
    )
    await other.close()
    await close()
  })
})

describe('deleting', () => {
  test('takes the name, typed', async () => {
    const id = await given('going')
    const { page, close } = await atSettings(id, 'danger')
    await page.getByRole('button', { name: ui('features/settings:danger.open'), exact: true }).click()
    const dialog = page.getByRole('dialog', { name: ui('features/settings:danger.title') })
    await dialog.getByText('“going” in the workspace “team”').waitFor()
    const yes = dialog.getByRole('button', { name: ui('features/settings:danger.yes') })
    // What it asks for can be typed at once.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    await page.keyboard.type('goin')
    expect(await yes.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByRole('textbox').fill('going')
    const told = page
      .getByRole('region', { name: ui('common:toast.region') })
      .getByText(ui('features/settings:danger.deleted', { name: 'going' }))
      .waitFor()
    await yes.click()
    await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
    await told
    await expect(dataset(id)).rejects.toThrow()
    await close()
  })
})

describe('who sees what', () => {
  test('annotators read, and come there from the dataset', async () => {
    const id = await given('read only', { guidelines: 'Read *well*.', minSubmitted: 2 })
    const { page, close } = await atSettings(id, 'danger', 'ann')
    await page.getByText('Read well.').waitFor()
    await page.getByText('read only').first().waitFor()
    expect(await page.getByRole('button', { name: ui('features/settings:update') }).count()).toBe(0)
    expect(await page.getByRole('button', { name: ui('features/settings:danger.open') }).count()).toBe(0)
    await page.getByRole('link', { name: ui('features/settings:seeDataset') }).click()
    await page.getByRole('link', { name: ui('features/settings:title') }).click()
    await page.getByText('Read well.').waitFor()
    await close()
  })

  test('an admin of other workspaces is let in neither to read nor to change', async () => {
    const id = await given('of others')
    const opened = await openPage(team.browser, team.server.url)
    await haveSession(opened.page, team.server.url, 'otto', PASSWORD)
    for (const path of [`/dataset/${id}/settings`, `/dataset/${id}/import`, `/new/${id}`]) {
      await opened.page.goto(path)
      await opened.page.getByRole('heading', { name: /^(403|404)/ }).waitFor()
      expect(await opened.page.getByRole('button', { name: ui('features/settings:update') }).count()).toBe(0)
    }
    await opened.close()
  })

  test('a dataset that does not exist is a page that could not be found', async () => {
    const opened = await openPage(team.browser, team.server.url)
    await haveSession(opened.page, team.server.url, 'adam', PASSWORD)
    await opened.page.goto('/dataset/00000000-0000-7000-8000-000000000000/settings')
    await opened.page.getByText(ui('common:error.notFound')).waitFor()
    await opened.close()
  })
})
