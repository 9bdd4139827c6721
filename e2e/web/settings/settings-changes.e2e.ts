import { variants } from '@postil/testkit/run-size.ts'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, seedUser } from '../fixtures/seed.ts'
import { expectSaved, formNamed, openSettings, seedSettingsDataset, updateButton } from '../fixtures/settings.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const team = setUpSharedTeam()
beforeAll(async () => {
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
})

const at = (id: string, tab: string) => openSettings(team, id, tab, 'adam')

type Item = { readonly [key: string]: unknown } & { readonly title: string }
const items = async (path: string): Promise<Item[]> => (await callAsOwner<{ items: Item[] }>(team.server, 'GET', path)).items

describe('unsaved changes', () => {
  test("trigger the browser's warning when the window is closed, and saved ones don't", async () => {
    const id = await seedSettingsDataset(team, 'closed')
    const { page, close } = await at(id, 'fields')
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await page.reload()
    await formNamed(page, 'Text')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('Half done')
    await formNamed(page, 'Text').getByText(ui('features/settings:unsaved')).waitFor()
    await page.reload()
    await formNamed(page, 'Text').waitFor()
    expect(asked).toEqual(['beforeunload'])
    await close()
  })

  test('made during a save are kept', async () => {
    const id = await seedSettingsDataset(team, 'changed while open')
    const { page, close, complaints } = await at(id, 'vectors')
    let release = () => {}
    const held = new Promise<void>((through) => {
      release = through
    })
    await page.route('**/vectors-settings/*', async (route) => {
      await held
      await route.continue()
    })
    const sent = page.waitForRequest('**/vectors-settings/*')
    await formNamed(page, 'Words')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('Bag')
    await updateButton(page, 'Words').click()
    await sent
    await formNamed(page, 'Words')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('Bag of words')
    release()
    await formNamed(page, 'Bag').waitFor()
    await expect
      .poll(() =>
        formNamed(page, 'Bag')
          .getByRole('textbox', { name: ui('features/settings:itemTitle') })
          .inputValue(),
      )
      .toBe('Bag of words')
    await updateButton(page, 'Bag').click()
    await expectSaved(page, 'Bag of words')
    expect(await items(`/datasets/${id}/vectors-settings`)).toMatchObject([{ title: 'Bag of words' }])
    expect(complaints()).toEqual([])
    await close()
  })

  test.each(
    variants(2, [
      ['fields', 'Text', 'fields'],
      ['questions', 'Tone', 'questions'],
      ['metadata', 'Source', 'metadata-properties'],
      ['vectors', 'Words', 'vectors-settings'],
    ]),
  )(
    'in %s are replaced by the stored values and the reason if the server refuses, and can be restored',
    async (tab, title, route) => {
      const id = await seedSettingsDataset(team, `refused ${tab}`)
      const { page, close } = await at(id, tab)
      await page.route(`**/api/v1/${route}/*`, (asked) => asked.fulfill({ status: 409, json: { detail: 'It is being moved' } }))
      const input = formNamed(page, title).getByRole('textbox', { name: ui('features/settings:itemTitle') })
      await input.fill('Another title')
      await updateButton(page, title).click()
      await formNamed(page, title)
        .getByRole('alert')
        .getByText(ui('features/settings:notSaved', { problem: 'It is being moved' }))
        .waitFor()
      await expect.poll(() => input.inputValue()).toBe(title)
      await expect.poll(() => formNamed(page, title).getByText(ui('features/settings:unsaved')).count()).toBe(0)
      await page.unroute(`**/api/v1/${route}/*`)
      await page.getByRole('button', { name: ui('features/settings:bringBack') }).click()
      await expect.poll(() => input.inputValue()).toBe('Another title')
      await updateButton(page, title).click()
      await formNamed(page, 'Another title').waitFor()
      await close()
    },
  )

  test('are kept on other sections, are marked, and leaving asks for confirmation', async () => {
    const id = await seedSettingsDataset(team, 'unsaved')
    const { page, close } = await at(id, 'fields')
    await formNamed(page, 'Text')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('Half done')
    await page.getByRole('link', { name: ui('features/settings:section.questions') }).click()
    await formNamed(page, 'Tone').waitFor()
    await page.getByRole('link', { name: ui('features/settings:seeDataset') }).click()
    await page
      .getByRole('dialog')
      .getByText(ui('features/settings:leave.explain', { sections: ui('features/settings:section.fields') }))
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(
      await formNamed(page, 'Text')
        .getByRole('textbox', { name: ui('features/settings:itemTitle') })
        .inputValue(),
    ).toBe('Half done')
    await page.getByRole('link', { name: ui('features/settings:seeDataset') }).click()
    await page.getByRole('button', { name: ui('features/settings:leave.leave') }).click()
    await page.waitForURL(/annotation-mode/)
    expect(await items(`/datasets/${id}/fields`)).toMatchObject([{ title: 'Text' }])
    await close()
  })

  test('ask for confirmation on going back too, and the address stays during the question', async () => {
    const id = await seedSettingsDataset(team, 'the way back')
    const { page, close, complaints } = await at(id, 'fields')
    await page.goto(`/dataset/${id}/annotation-mode`)
    await page.getByRole('link', { name: ui('features/annotate:settings') }).click()
    await page.getByRole('link', { name: ui('features/settings:section.fields') }).click()
    const title = formNamed(page, 'Text').getByRole('textbox', { name: ui('features/settings:itemTitle') })
    await title.fill('Half done')
    const question = page.getByRole('dialog', { name: ui('features/settings:leave.title') })
    const path = () => new URL(page.url()).pathname
    await page.evaluate(() => history.back())
    await question.waitFor()
    await expect.poll(path).toBe(`/dataset/${id}/settings`)
    // The button that keeps the changes has the focus, so Enter activates it.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(ui('features/settings:leave.stay'))
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    await expect.poll(async () => [path(), await title.inputValue()]).toEqual([`/dataset/${id}/settings`, 'Half done'])
    // Goes back again, and once more while the dialog is open. The page still goes back by only one entry.
    await page.evaluate(() => history.back())
    await question.waitFor()
    await page.evaluate(() => {
      const gone = new Promise((done) => window.addEventListener('popstate', done, { once: true }))
      history.back()
      return gone.then(() => undefined)
    })
    await expect.poll(path).toBe(`/dataset/${id}/settings`)
    await question.getByRole('button', { name: ui('features/settings:leave.leave') }).click()
    await page.waitForURL(/annotation-mode/)
    await page.goForward()
    await formNamed(page, 'Text').waitFor()
    await expect.poll(() => title.inputValue()).toBe('Text')
    expect(complaints()).toEqual([])
    await close()
  })
})

describe("another user's saved changes", () => {
  const partOf = async (path: string, name: string): Promise<Item & { readonly id: string }> => {
    const found = (await items(path)).find((item) => item['name'] === name)
    if (!found) throw new Error(`no ${name}`)
    return found as Item & { readonly id: string }
  }

  /** Waits for the requests that the page sends when it opens. A late one would otherwise load the other user's change. */
  const atRest = async (id: string, tab: string) => {
    const opened = await at(id, tab)
    await opened.page.waitForLoadState('networkidle')
    return opened
  }

  /** Finds the form by its old or new title, because the page may already show the other user's change. */
  const eitherForm = (page: Page, before: string, after: string) =>
    page.getByRole('form', { name: new RegExp(`^(${before}|${after})$`) })

  // The page loads the stored values before it saves. It can therefore show the other user's change before this user's change is
  // stored, so the tests wait for the saving request itself.
  const nextSave = (page: Page) => page.waitForResponse((response) => response.request().method() === 'PATCH')

  test('to a question are kept, because only changed values are sent', async () => {
    const id = await seedSettingsDataset(team, 'two at a question')
    const tone = () => partOf(`/datasets/${id}/questions`, 'tone')
    const { page, close, complaints } = await atRest(id, 'questions')
    const { id: questionId } = await tone()
    const save = nextSave(page)
    await callAsOwner(team.server, 'PATCH', `/questions/${questionId}`, { title: 'Theirs' })
    await eitherForm(page, 'Tone', 'Theirs')
      .getByRole('textbox', { name: ui('features/settings:description') })
      .fill('Mine.')
    await eitherForm(page, 'Tone', 'Theirs')
      .getByRole('button', { name: ui('features/settings:update') })
      .click()
    expect((await save).request().postDataJSON()).toEqual({ description: 'Mine.' })
    await formNamed(page, 'Theirs').waitFor()
    expect(await tone()).toMatchObject({ title: 'Theirs', description: 'Mine.' })
    expect(complaints()).toEqual([])
    await close()
  })

  test('to labels are kept: each text separately, and the order', async () => {
    const id = await seedSettingsDataset(team, 'two at labels')
    const tone = () => partOf(`/datasets/${id}/questions`, 'tone')
    const { page, close, complaints } = await atRest(id, 'questions')
    const { id: questionId } = await tone()
    const options = ['negative', 'neutral', 'positive'].map((value) => ({
      value,
      // Both users change this text, so the page asks which version to keep.
      text: value === 'neutral' ? 'Neutral' : `Theirs ${value}`,
    }))
    const save = nextSave(page)
    await callAsOwner(team.server, 'PATCH', `/questions/${questionId}`, { settings: { type: 'label_selection', options } })
    await formNamed(page, 'Tone')
      .getByRole('textbox', { name: ui('question-types/shared/options:options.text', { value: 'neutral' }) })
      .fill('Mine')
    await updateButton(page, 'Tone').click()
    await save
    await expectSaved(page, 'Tone')
    const stored = (await tone())['settings'] as { options: { text: string }[] }
    expect(stored.options.map(({ text }) => text)).toEqual(['Theirs negative', 'Mine', 'Theirs positive'])
    await expect
      .poll(() =>
        formNamed(page, 'Tone')
          .getByRole('textbox', { name: ui('question-types/shared/options:options.text', { value: 'positive' }) })
          .inputValue(),
      )
      .toBe('Theirs positive')
    expect(complaints()).toEqual([])
    await close()
  })

  test('to a field and to metadata are kept', async () => {
    const id = await seedSettingsDataset(team, 'two at parts')
    const { page, close } = await atRest(id, 'fields')
    const text = await partOf(`/datasets/${id}/fields`, 'text')
    const fieldSave = nextSave(page)
    await callAsOwner(team.server, 'PATCH', `/fields/${text.id}`, { title: 'Theirs' })
    await eitherForm(page, 'Text', 'Theirs')
      .getByRole('switch', { name: ui('field-types/text:useMarkdown') })
      .check()
    await eitherForm(page, 'Text', 'Theirs')
      .getByRole('button', { name: ui('features/settings:update') })
      .click()
    await fieldSave
    await formNamed(page, 'Theirs').waitFor()
    expect(await items(`/datasets/${id}/fields`)).toMatchObject([{ title: 'Theirs', settings: { use_markdown: true } }])
    const read = page.waitForResponse((response) => response.url().endsWith('/metadata-properties'))
    await page.getByRole('link', { name: ui('features/settings:section.metadata') }).click()
    await formNamed(page, 'Source').waitFor()
    await read
    const source = await partOf(`/me/datasets/${id}/metadata-properties`, 'source')
    const propertySave = nextSave(page)
    await callAsOwner(team.server, 'PATCH', `/metadata-properties/${source.id}`, {
      title: 'Whence',
      visible_for_annotators: true,
    })
    await eitherForm(page, 'Source', 'Whence').getByRole('switch').uncheck()
    await eitherForm(page, 'Source', 'Whence')
      .getByRole('button', { name: ui('features/settings:update') })
      .click()
    await propertySave
    await formNamed(page, 'Whence').waitFor()
    expect(await items(`/me/datasets/${id}/metadata-properties`)).toMatchObject([
      { title: 'Whence', visible_for_annotators: false },
    ])
    await close()
  })

  test('are shown on returning to the window or opening a section, next to unsaved changes', async () => {
    const id = await seedSettingsDataset(team, 'coming back')
    const { page, close } = await atRest(id, 'questions')
    const { id: questionId } = await partOf(`/datasets/${id}/questions`, 'note')
    await formNamed(page, 'Note')
      .getByRole('textbox', { name: ui('features/settings:description') })
      .fill('Mine.')
    await callAsOwner(team.server, 'PATCH', `/questions/${questionId}`, { title: 'Second' })
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await formNamed(page, 'Second').getByText(ui('features/settings:unsaved')).waitFor()
    await callAsOwner(team.server, 'PATCH', `/questions/${questionId}`, { title: 'Third' })
    await page.getByRole('link', { name: ui('features/settings:section.vectors') }).click()
    await page.getByRole('link', { name: ui('features/settings:section.questions') }).click()
    const third = formNamed(page, 'Third')
    await expect.poll(() => third.getByRole('textbox', { name: ui('features/settings:itemTitle') }).inputValue()).toBe('Third')
    await expect.poll(() => third.getByRole('textbox', { name: ui('features/settings:description') }).inputValue()).toBe('Mine.')
    await close()
  })
})

describe('text input', () => {
  test('shows faults under the input with the limit, and prevents saving', async () => {
    const id = await seedSettingsDataset(team, 'bounded')
    const { page, close, complaints } = await at(id, 'general')
    const isRefused = async (title: string, label: string, text: string, message: string) => {
      const input = formNamed(page, title).getByLabel(label, { exact: true })
      const before = await input.inputValue()
      await input.fill(text)
      await formNamed(page, title).getByText(message, { exact: true }).waitFor()
      await expect.poll(() => updateButton(page, title).getAttribute('aria-disabled')).toBe('true')
      await input.press('Enter')
      await formNamed(page, title)
        .getByRole('button', { name: ui('features/settings:cancel') })
        .click()
      await expect.poll(() => input.inputValue()).toBe(before)
    }
    const number = ui('features/settings:general.minSubmitted')
    await isRefused(ui('features/settings:general.distribution'), number, '', ui('features/settings:fault.required'))
    await isRefused(
      ui('features/settings:general.distribution'),
      number,
      '0',
      ui('features/settings:fault.wholeNumber', { min: '1' }),
    )
    await isRefused(
      ui('features/settings:general.distribution'),
      number,
      '1.5',
      ui('features/settings:fault.wholeNumber', { min: '1' }),
    )
    const most = [ui('features/settings:handingOut.title'), ui('features/settings:handingOut.maxPerPerson')] as const
    await isRefused(...most, '-1', ui('features/settings:fault.wholeNumber', { min: '1' }))
    await isRefused(...most, '1000000001', ui('features/settings:fault.tooGreat', { max: '1,000,000,000' }))
    await page.getByRole('link', { name: ui('features/settings:section.fields') }).click()
    await isRefused(
      'Text',
      ui('features/settings:itemTitle'),
      'x'.repeat(501),
      ui('features/settings:fault.tooLong', { max: '500' }),
    )
    await page.getByRole('link', { name: ui('features/settings:section.questions') }).click()
    await isRefused('Tone', ui('features/settings:itemTitle'), ' ', ui('features/settings:fault.required'))
    await isRefused(
      'Tone',
      ui('features/settings:itemTitle'),
      'x'.repeat(201),
      ui('features/settings:fault.tooLong', { max: '200' }),
    )
    await isRefused(
      'Tone',
      ui('features/settings:description'),
      'x'.repeat(501),
      ui('features/settings:fault.tooLong', { max: '500' }),
    )
    await page.getByRole('link', { name: ui('features/settings:section.metadata') }).click()
    await isRefused(
      'Source',
      ui('features/settings:itemTitle'),
      'x'.repeat(501),
      ui('features/settings:fault.tooLong', { max: '500' }),
    )
    await page.getByRole('link', { name: ui('features/settings:section.vectors') }).click()
    await isRefused(
      'Words',
      ui('features/settings:itemTitle'),
      'x'.repeat(501),
      ui('features/settings:fault.tooLong', { max: '500' }),
    )
    expect(await items(`/datasets/${id}/questions`)).toContainEqual(expect.objectContaining({ name: 'tone', title: 'Tone' }))
    expect(complaints()).toEqual([])
    await close()
  })

  test('is right-to-left for right-to-left text', async () => {
    const id = await seedSettingsDataset(team, 'from the right')
    const { page, close } = await at(id, 'general')
    const direction = (input: Locator) => input.evaluate((element) => getComputedStyle(element).direction)
    const guidelines = page.getByRole('textbox', { name: ui('features/settings:general.guidelines') })
    expect(await direction(guidelines)).toBe('ltr')
    await guidelines.fill('اقرأ النص كله ثم أجب, then OK')
    await expect.poll(() => direction(guidelines)).toBe('rtl')
    await page.getByRole('link', { name: ui('features/settings:section.questions') }).click()
    const label = formNamed(page, 'Tone').getByRole('textbox', {
      name: ui('question-types/shared/options:options.text', { value: 'neutral' }),
    })
    await label.fill('מחייב')
    await expect.poll(() => direction(label)).toBe('rtl')
    await close()
  })
})
