import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findViolations, openPage } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { QUESTIONS } from '../fixtures/annotation.ts'
import { callAsOwner, PASSWORD, seedDataset, seedUser } from '../fixtures/seed.ts'
import { expectSaved, formNamed, openSettings, seedSettingsDataset, updateButton } from '../fixtures/settings.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()
beforeAll(async () => {
  await seedUser(team.server, 'ann', 'annotator', [team.workspaceId])
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
  await seedUser(team.server, 'otto', 'admin', [])
})

const seed = (name: string, more: object = {}) => seedSettingsDataset(team, name, more)
const atSettings = (id: string, tab: string, username = 'adam') => openSettings(team, id, tab, username)
const isBlocked = (page: Page, title: string) => updateButton(page, title).getAttribute('aria-disabled')

type Item = { readonly [key: string]: unknown } & { readonly title: string }
const items = async (path: string): Promise<Item[]> => (await callAsOwner<{ items: Item[] }>(team.server, 'GET', path)).items
const dataset = (id: string) => callAsOwner<{ [key: string]: unknown }>(team.server, 'GET', `/datasets/${id}`)

describe('editable settings', () => {
  detail('include assignment: in which order, to whom and how many', async () => {
    const id = await seed('handed out', { records: [{ fields: { text: 'One.' } }, { fields: { text: 'Two.' } }] })
    const { page, close, complaints } = await atSettings(id, 'general')
    const title = ui('features/settings:handingOut.title')
    await page
      .getByRole('combobox', { name: ui('features/settings:handingOut.order') })
      .selectOption({ label: ui('features/settings:handingOut.score.asc', { title: 'Tone' }) })
    await page
      .getByRole('combobox', { name: ui('features/settings:handingOut.assigned') })
      .selectOption({ label: ui('features/settings:handingOut.named', { title: 'Source' }) })
    await page.getByRole('spinbutton', { name: ui('features/settings:handingOut.maxPerPerson') }).fill('0')
    await page.getByText(ui('features/settings:fault.wholeNumber', { min: '1' })).waitFor()
    await expect.poll(() => isBlocked(page, title)).toBe('true')
    await page.getByRole('spinbutton', { name: ui('features/settings:handingOut.maxPerPerson') }).fill('25')
    await updateButton(page, title).click()
    await expectSaved(page, title)
    expect(await callAsOwner(team.server, 'GET', `/datasets/${id}/queue-settings`)).toEqual({
      order: [{ scope: { entity: 'suggestion', question: 'tone', property: 'score' }, order: 'asc' }],
      shuffled: false,
      others_answer_assigned: false,
      assigned_by: 'source',
      assigned: true,
      max_per_person: 25,
    })
    await page.reload()
    await expect
      .poll(() => page.getByRole('spinbutton', { name: ui('features/settings:handingOut.maxPerPerson') }).inputValue())
      .toBe('25')
    expect(complaints()).toEqual([])
    await close()
  })

  detail('offer the lowest agreement first if a record can have two answers and still need one', async () => {
    const [two, three] = [await seed('needs two', { minSubmitted: 2 }), await seed('needs three', { minSubmitted: 3 })]
    const title = ui('features/settings:handingOut.title')
    const label = ui('features/settings:handingOut.agreement', { title: 'Tone' })
    const orders = (page: Page) => page.getByRole('combobox', { name: ui('features/settings:handingOut.order') })
    const shared = await atSettings(two, 'general')
    await orders(shared.page).waitFor()
    expect(await orders(shared.page).locator('option').allTextContents()).not.toContain(label)
    await shared.close()
    const { page, close, complaints } = await atSettings(three, 'general')
    await orders(page).selectOption({ label })
    await updateButton(page, title).click()
    await expectSaved(page, title)
    expect(await callAsOwner(team.server, 'GET', `/datasets/${three}/queue-settings`)).toMatchObject({
      order: [{ scope: { entity: 'record', property: 'agreement', question: 'tone' }, order: 'asc' }],
    })
    await page.reload()
    await orders(page).waitFor()
    await expect.poll(() => orders(page).locator('option:checked').textContent()).toBe(label)
    expect(complaints()).toEqual([])
    await close()
  })

  detail('offer a different order for each person if records need more than one answer', async () => {
    const overlap = { minSubmitted: 2 }
    const [single, shared] = [await seed('one answer'), await seed('two answers', overlap)]
    const title = ui('features/settings:handingOut.title')
    const orders = async (page: Page) => {
      const select = page.getByRole('combobox', { name: ui('features/settings:handingOut.order') })
      await select.waitFor()
      return { select, labels: await select.locator('option').allTextContents() }
    }
    const one = await atSettings(single, 'general')
    const alone = await orders(one.page)
    expect(alone.labels[0]).toBe(ui('features/settings:handingOut.insertionOrder'))
    expect(alone.labels).not.toContain(ui('features/settings:handingOut.ownOrder'))
    await one.close()
    const { page, close, complaints } = await atSettings(shared, 'general')
    const { select } = await orders(page)
    await select.selectOption({ label: ui('features/settings:handingOut.ownOrder') })
    await updateButton(page, title).click()
    await expectSaved(page, title)
    const stored = () => callAsOwner(team.server, 'GET', `/datasets/${shared}/queue-settings`)
    expect(await stored()).toMatchObject({ order: null, shuffled: true })
    await select.selectOption({ label: ui('features/settings:handingOut.insertionOrder') })
    await updateButton(page, title).click()
    await expect.poll(stored).toMatchObject({ order: null, shuffled: false })
    expect(complaints()).toEqual([])
    await close()
  })

  detail('include whether searches ignore accents, which applies to matches and their marks at once', async () => {
    const id = await seed('searched', { records: [{ fields: { text: 'Un café, s’il vous plaît.' } }] })
    const { page, close, complaints } = await atSettings(id, 'general')
    const title = ui('features/settings:search.title')
    const marks = () => page.evaluate(() => [...(CSS.highlights.get('postil-search') ?? [])].map(String))
    const searchFor = async (words: string) => {
      await page.goto(`/dataset/${id}/annotation-mode?search=${words}`)
      await page.getByRole('button', { name: ui('features/annotate:action.submit') }).waitFor()
    }
    await page.getByRole('switch', { name: ui('features/settings:search.ignoreAccents') }).click()
    await updateButton(page, title).click()
    await expectSaved(page, title)
    expect(await callAsOwner(team.server, 'GET', `/datasets/${id}/search-settings`)).toEqual({ ignore_accents: true })
    await searchFor('cafe')
    await expect.poll(marks).toEqual(['café'])
    await searchFor('plait')
    await expect.poll(marks).toEqual(['plaît'])
    expect(complaints()).toEqual([])
    await close()
  })

  detail("include guidelines, which are written, previewed and saved but can't be empty", async () => {
    const id = await seed('guided')
    const { page, close, complaints } = await atSettings(id, 'general')
    await page.getByRole('textbox', { name: ui('features/settings:general.guidelines') }).fill('  # Be kind\n\nAnd **quick**.  ')
    await page.getByRole('button', { name: ui('features/settings:general.preview') }).click()
    await page.getByRole('heading', { name: 'Be kind' }).waitFor()
    await page.getByRole('button', { name: ui('features/settings:general.write') }).click()
    await updateButton(page, ui('features/settings:general.guidelines')).click()
    await expectSaved(page, ui('features/settings:general.guidelines'))
    expect((await dataset(id))['guidelines']).toBe('# Be kind\n\nAnd **quick**.')
    await page.getByRole('textbox', { name: ui('features/settings:general.guidelines') }).fill('  \n ')
    await page.getByText(ui('features/settings:fault.required')).waitFor()
    await expect.poll(() => isBlocked(page, ui('features/settings:general.guidelines'))).toBe('true')
    await formNamed(page, ui('features/settings:general.guidelines'))
      .getByRole('button', { name: ui('features/settings:cancel') })
      .click()
    await expect
      .poll(() => page.getByRole('textbox', { name: ui('features/settings:general.guidelines') }).inputValue())
      .toBe('# Be kind\n\nAnd **quick**.')
    expect(complaints()).toEqual([])
    await close()
  })

  detail('include the overlap until there are answers, and then show the stored value and can restore the change', async () => {
    const id = await seed('distributed')
    const { page, close } = await atSettings(id, 'general')
    const number = page.getByRole('spinbutton', { name: ui('features/settings:general.minSubmitted') })
    await number.fill('0')
    await expect.poll(() => isBlocked(page, ui('features/settings:general.distribution'))).toBe('true')
    await number.fill('3')
    await number.press('Enter')
    await expectSaved(page, ui('features/settings:general.distribution'))
    expect((await dataset(id))['distribution']).toEqual({ strategy: 'overlap', min_submitted: 3 })
    const [record] = await items(`/datasets/${id}/records`)
    await callAsOwner(team.server, 'POST', `/records/${record?.['id']}/responses`, { status: 'discarded', values: {} })
    await number.fill('4')
    await updateButton(page, ui('features/settings:general.distribution')).click()
    const problem = ui('common:validations.businessLogic.update_distribution_with_existing_responses.message')
    await page.getByRole('alert').getByText(ui('features/settings:notSaved', { problem })).waitFor()
    await expect.poll(() => number.inputValue()).toBe('3')
    await page.getByRole('button', { name: ui('features/settings:bringBack') }).click()
    await expect.poll(() => number.inputValue()).toBe('4')
    await close()
  })

  detail("include a field's title, which defaults to its name, and markdown", async () => {
    const id = await seed('fields')
    const { page, close } = await atSettings(id, 'fields')
    await formNamed(page, 'Text')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('The text')
    await formNamed(page, 'Text')
      .getByRole('switch', { name: ui('field-types/text:useMarkdown') })
      .check()
    await updateButton(page, 'Text').click()
    await formNamed(page, 'The text').waitFor()
    expect(await items(`/datasets/${id}/fields`)).toMatchObject([{ title: 'The text', settings: { use_markdown: true } }])
    await formNamed(page, 'The text')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('x'.repeat(501))
    await page.getByText(ui('features/settings:fault.tooLong', { max: '500' })).waitFor()
    await formNamed(page, 'The text')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill(' ')
    await updateButton(page, 'The text').click()
    await formNamed(page, 'text').waitFor()
    expect(await items(`/datasets/${id}/fields`)).toMatchObject([{ title: 'text' }])
    await close()
  })

  test("include a question's texts, label order by keyboard and pointer, and visible labels, with a preview", async () => {
    const id = await seed('asked')
    const { page, close, complaints } = await atSettings(id, 'questions')
    const topics = formNamed(page, 'Topics')
    const preview = page.getByRole('region', {
      name: uiPattern('features/settings:questions.preview', { title: /Topics|Subjects/ }),
    })
    await topics.getByRole('textbox', { name: ui('features/settings:itemTitle') }).fill('Subjects')
    await topics.getByRole('textbox', { name: ui('features/settings:description') }).fill('All that it is about.')
    await preview.getByText('Subjects').waitFor()
    await preview.getByText('All that it is about.').waitFor()
    const down = topics.getByRole('button', { name: ui('question-types/shared/options:options.down', { label: 'Topic 01' }) })
    await down.focus()
    const firstTexts = () =>
      topics.locator('ol > li > input').evaluateAll((all) => all.slice(0, 3).map((one) => one.getAttribute('value')))
    for (const order of [
      ['Topic 02', 'Topic 01', 'Topic 03'],
      ['Topic 02', 'Topic 03', 'Topic 01'],
    ]) {
      await page.keyboard.press('Enter')
      await expect.poll(firstTexts).toEqual(order)
      // A moved row regains focus a moment later.
      await expect.poll(() => down.evaluate((button) => button === document.activeElement)).toBe(true)
    }
    const grips = topics.locator('ol > li > [aria-hidden=true]')
    await grips.nth(0).hover({ position: { x: 5, y: 10 } })
    const to = await grips.nth(1).boundingBox()
    if (!to) throw new Error('no grips')
    await page.mouse.down()
    await page.mouse.move(to.x + 5, to.y + 10, { steps: 5 })
    await page.mouse.up()
    await topics
      .getByRole('textbox', { name: ui('question-types/shared/options:options.text', { value: 'topic-04' }) })
      .fill('Fourth')
    await topics.getByRole('slider').fill('4')
    await topics.getByRole('switch', { name: ui('question-types/multi_label_selection:suggestionsFirst') }).check()
    await expect.poll(() => preview.locator('[role=checkbox], [role=option], [aria-pressed]').allInnerTexts()).toHaveLength(4)
    await updateButton(page, 'Topics').click()
    await formNamed(page, 'Subjects').waitFor()
    const changed = (await items(`/datasets/${id}/questions`)).find(({ name }) => name === 'topics')
    expect(changed).toMatchObject({ title: 'Subjects', description: 'All that it is about.' })
    const settings = changed?.['settings'] as { options: { text: string }[]; visible_options: number; options_order: string }
    expect(settings.options.slice(0, 4).map(({ text }) => text)).toEqual(['Topic 03', 'Topic 02', 'Topic 01', 'Fourth'])
    expect(settings.options).toHaveLength(QUESTIONS.topics.settings.options.length)
    expect([settings.visible_options, settings.options_order]).toEqual([4, 'suggestion'])
    await formNamed(page, 'Tone')
      .getByRole('textbox', { name: ui('question-types/shared/options:options.text', { value: 'neutral' }) })
      .fill(' ')
    await page.getByRole('alert').getByText(ui('question-types/shared/options:fault.empty')).waitFor()
    await expect.poll(() => isBlocked(page, 'Tone')).toBe('true')
    expect(complaints()).toEqual([])
    await close()
  })

  detail('include labels with distinct texts, and a duplicate is reported at the second label', async () => {
    const id = await seed('twice')
    const { page, close, complaints } = await atSettings(id, 'questions')
    const text = (value: string) =>
      formNamed(page, 'Tone').getByRole('textbox', { name: ui('question-types/shared/options:options.text', { value }) })
    await text('neutral').fill(' Positive ')
    const fault = formNamed(page, 'Tone').getByRole('alert')
    await fault.getByText(ui('question-types/shared/options:options.twice', { label: 'Positive' }), { exact: true }).waitFor()
    const described = (await text('neutral').getAttribute('aria-describedby')) ?? 'none'
    expect(await fault.getAttribute('id')).toBe(described)
    expect([await text('neutral').getAttribute('aria-invalid'), await text('positive').getAttribute('aria-invalid')]).toEqual([
      'true',
      null,
    ])
    await expect.poll(() => isBlocked(page, 'Tone')).toBe('true')
    expect(await findViolations(page)).toEqual([])
    await text('positive').fill('Good')
    await fault.waitFor({ state: 'detached' })
    await updateButton(page, 'Tone').click()
    await expectSaved(page, 'Tone')
    expect(complaints()).toEqual([])
    await close()
  })

  detail('include a span question, previewed with a text and its labels', async () => {
    const id = await seed('marked')
    const { page, close } = await atSettings(id, 'questions')
    const preview = page.getByRole('region', { name: ui('features/settings:questions.preview', { title: 'Entities' }) })
    await preview.getByText(ui('features/settings:questions.sample', { title: 'Text' })).waitFor()
    await preview.getByText('Place', { exact: true }).click()
    await formNamed(page, 'Entities')
      .getByRole('textbox', { name: ui('question-types/shared/options:options.text', { value: 'person' }) })
      .fill('Somebody')
    await preview.getByText('Somebody', { exact: true }).waitFor()
    await close()
  })

  detail('include metadata and vectors', async () => {
    const id = await seed('known')
    const { page, close } = await atSettings(id, 'metadata')
    await page.getByRole('switch', { name: ui('features/settings:metadata.allowExtra') }).uncheck()
    await updateButton(page, ui('features/settings:metadata.extra')).click()
    await expectSaved(page, ui('features/settings:metadata.extra'))
    await formNamed(page, 'Source')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('Where from')
    await formNamed(page, 'Source').getByRole('switch').uncheck()
    await updateButton(page, 'Source').click()
    await formNamed(page, 'Where from').waitFor()
    expect((await dataset(id))['allow_extra_metadata']).toBe(false)
    expect(await items(`/me/datasets/${id}/metadata-properties`)).toMatchObject([
      { title: 'Where from', visible_for_annotators: false },
    ])
    await page.getByRole('link', { name: ui('features/settings:section.vectors') }).click()
    await formNamed(page, 'Words')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('Bag of words')
    await updateButton(page, 'Words').click()
    await formNamed(page, 'Bag of words').waitFor()
    expect(await items(`/datasets/${id}/vectors-settings`)).toMatchObject([{ title: 'Bag of words', dimensions: 3 }])
    await close()
  })

  test('publish a complete draft, and report what an incomplete one lacks', async () => {
    const id = await seedDataset(team.server, { name: 'a draft', workspaceId: team.workspaceId, publish: false })
    const { page, close } = await atSettings(id, 'general')
    await page.getByRole('button', { name: ui('features/settings:general.publish') }).click()
    await page.getByText(ui('features/settings:general.draft')).waitFor({ state: 'detached' })
    expect((await dataset(id))['status']).toBe('ready')
    const withoutDescription = await callAsOwner(team.server, 'POST', '/datasets', {
      name: 'a bare draft',
      workspace_id: team.workspaceId,
    })
    const other = await atSettings(withoutDescription.id, 'general')
    await other.page.getByRole('button', { name: ui('features/settings:general.publish') }).click()
    await other.page.getByRole('alert').getByText(ui('features/refusals:refusal.publishNoFields')).waitFor()
    await other.page.getByText(ui('features/settings:general.draft')).waitFor()
    // Missing parts can be added in the draft's form.
    await other.page.getByRole('link', { name: ui('features/settings:general.goOn') }).click()
    await other.page.getByRole('button', { name: ui('features/create:fields.add') }).waitFor()
    expect(await other.page.getByRole('textbox', { name: ui('features/create:about.name') }).inputValue()).toBe('a bare draft')
    await other.close()
    await close()
  })
})

describe('deleting a dataset', () => {
  detail('requires typing its name', async () => {
    const id = await seed('going')
    const { page, close } = await atSettings(id, 'danger')
    await page.getByRole('button', { name: ui('features/settings:danger.open'), exact: true }).click()
    const dialog = page.getByRole('dialog', { name: ui('features/settings:danger.title') })
    await dialog.getByText(ui('features/settings:danger.explain', { name: 'going', workspace: team.workspaceName })).waitFor()
    const yes = dialog.getByRole('button', { name: ui('features/settings:danger.yes') })
    // The confirmation can be typed immediately.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    await page.keyboard.type('goin')
    expect(await yes.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByRole('textbox').fill('going')
    const deletedNotice = page
      .getByRole('region', { name: ui('common:toast.region') })
      .getByText(ui('features/settings:danger.deleted', { name: 'going' }))
      .waitFor()
    await yes.click()
    await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
    await deletedNotice
    await expect(dataset(id)).rejects.toThrow()
    await close()
  })
})

describe('access to the settings', () => {
  test('is read-only for annotators, who get there from the dataset', async () => {
    const id = await seed('read only', { guidelines: 'Read *well*.', minSubmitted: 2 })
    const { page, close } = await atSettings(id, 'danger', 'ann')
    await page.getByText('Read well.').waitFor()
    await page.getByText('read only').first().waitFor()
    expect(await page.getByRole('button', { name: ui('features/settings:update') }).count()).toBe(0)
    expect(await page.getByRole('button', { name: ui('features/settings:danger.open') }).count()).toBe(0)
    await page.getByRole('link', { name: ui('features/settings:seeDataset') }).click()
    await page.getByRole('link', { name: ui('features/annotate:settings') }).click()
    await page.getByText('Read well.').waitFor()
    await close()
  })

  test('is denied to an admin of other workspaces, for reading and changing', async () => {
    const id = await seed('of others')
    const opened = await openPage(team.browser, team.server.url)
    await createSession(opened.page, team.server.url, 'otto', PASSWORD)
    for (const path of [`/dataset/${id}/settings`, `/dataset/${id}/import`, `/new/${id}`]) {
      await opened.page.goto(path)
      await opened.page.getByRole('heading', { name: /^(403|404)/ }).waitFor()
      expect(await opened.page.getByRole('button', { name: ui('features/settings:update') }).count()).toBe(0)
    }
    await opened.close()
  })

  detail('shows the not found page for a dataset that does not exist', async () => {
    const opened = await openPage(team.browser, team.server.url)
    await createSession(opened.page, team.server.url, 'adam', PASSWORD)
    await opened.page.goto('/dataset/00000000-0000-7000-8000-000000000000/settings')
    await opened.page.getByText(ui('common:error.notFound')).waitFor()
    await opened.close()
  })
})
