import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { ui } from '../../harness/ui-text.ts'
import { asOwner, givenUser } from '../ground/given.ts'
import { form, givenSettings, openSettings, saved, update } from '../ground/settings.ts'
import { setUpTeam } from '../ground/team.ts'

const team = setUpTeam()
beforeAll(async () => {
  await givenUser(team.server, 'adam', 'admin', [team.workspaceId])
})

const at = (id: string, tab: string) => openSettings(team, id, tab, 'adam')

type Item = { readonly [key: string]: unknown } & { readonly title: string }
const items = async (path: string): Promise<Item[]> => (await asOwner<{ items: Item[] }>(team.server, 'GET', path)).items

describe('changes that are not saved', () => {
  test('are asked about by the browser where the window is closed, and only they', async () => {
    const id = await givenSettings(team, 'closed')
    const { page, close } = await at(id, 'fields')
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await page.reload()
    await form(page, 'Text')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('Half done')
    await form(page, 'Text').getByText(ui('features/settings:unsaved')).waitFor()
    await page.reload()
    await form(page, 'Text').waitFor()
    expect(asked).toEqual(['beforeunload'])
    await close()
  })

  test('stay when they are made while others are being saved', async () => {
    const id = await givenSettings(team, 'meanwhile')
    const { page, close, complaints } = await at(id, 'vectors')
    let letThrough = () => {}
    const held = new Promise<void>((through) => {
      letThrough = through
    })
    await page.route('**/vectors-settings/*', async (route) => {
      await held
      await route.continue()
    })
    const sent = page.waitForRequest('**/vectors-settings/*')
    await form(page, 'Words')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('Bag')
    await update(page, 'Words').click()
    await sent
    await form(page, 'Words')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('Bag of words')
    letThrough()
    await form(page, 'Bag').waitFor()
    await expect
      .poll(() =>
        form(page, 'Bag')
          .getByRole('textbox', { name: ui('features/settings:itemTitle') })
          .inputValue(),
      )
      .toBe('Bag of words')
    await update(page, 'Bag').click()
    await saved(page, 'Bag of words')
    expect(await items(`/datasets/${id}/vectors-settings`)).toMatchObject([{ title: 'Bag of words' }])
    expect(complaints()).toEqual([])
    await close()
  })

  test.each([
    ['fields', 'Text', 'fields'],
    ['questions', 'Tone', 'questions'],
    ['metadata', 'Source', 'metadata-properties'],
    ['vectors', 'Words', 'vectors-settings'],
  ])(
    'among the %s, what is stored comes back when the server refuses, with why, and the change can be had back',
    async (tab, title, route) => {
      const id = await givenSettings(team, `refused ${tab}`)
      const { page, close } = await at(id, tab)
      await page.route(`**/api/v1/${route}/*`, (asked) => asked.fulfill({ status: 409, json: { detail: 'It is being moved' } }))
      const input = form(page, title).getByRole('textbox', { name: ui('features/settings:itemTitle') })
      await input.fill('Another title')
      await update(page, title).click()
      await form(page, title).getByRole('alert').getByText('Not saved: It is being moved').waitFor()
      await expect.poll(() => input.inputValue()).toBe(title)
      await expect.poll(() => form(page, title).getByText(ui('features/settings:unsaved')).count()).toBe(0)
      await page.unroute(`**/api/v1/${route}/*`)
      await page.getByRole('button', { name: ui('features/settings:bringBack') }).click()
      await expect.poll(() => input.inputValue()).toBe('Another title')
      await update(page, title).click()
      await form(page, 'Another title').waitFor()
      await close()
    },
  )

  test('stay while one looks at another part, are marked, and leaving asks', async () => {
    const id = await givenSettings(team, 'unsaved')
    const { page, close } = await at(id, 'fields')
    await form(page, 'Text')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('Half done')
    await page.getByRole('link', { name: /^Questions/ }).click()
    await form(page, 'Tone').waitFor()
    await page.getByRole('link', { name: ui('features/settings:seeDataset') }).click()
    await page
      .getByRole('dialog')
      .getByText(ui('features/settings:leave.explain', { sections: 'Fields' }))
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(
      await form(page, 'Text')
        .getByRole('textbox', { name: ui('features/settings:itemTitle') })
        .inputValue(),
    ).toBe('Half done')
    await page.getByRole('link', { name: ui('features/settings:seeDataset') }).click()
    await page.getByRole('button', { name: ui('features/settings:leave.leave') }).click()
    await page.waitForURL(/annotation-mode/)
    expect(await items(`/datasets/${id}/fields`)).toMatchObject([{ title: 'Text' }])
    await close()
  })

  test('are asked about on the way back too, and the address stays while the question stands', async () => {
    const id = await givenSettings(team, 'the way back')
    const { page, close, complaints } = await at(id, 'fields')
    await page.goto(`/dataset/${id}/annotation-mode`)
    await page.getByRole('link', { name: ui('features/settings:title') }).click()
    await page.getByRole('link', { name: /^Fields/ }).click()
    const title = form(page, 'Text').getByRole('textbox', { name: ui('features/settings:itemTitle') })
    await title.fill('Half done')
    const question = page.getByRole('dialog', { name: ui('features/settings:leave.title') })
    const path = () => new URL(page.url()).pathname
    await page.evaluate(() => history.back())
    await question.waitFor()
    await expect.poll(path).toBe(`/dataset/${id}/settings`)
    // What loses nothing is what a press of Enter does.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(ui('features/settings:leave.stay'))
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    await expect.poll(async () => [path(), await title.inputValue()]).toEqual([`/dataset/${id}/settings`, 'Half done'])
    // One who presses it again, and once more while the question stands, has still left only one page.
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
    await form(page, 'Text').waitFor()
    await expect.poll(() => title.inputValue()).toBe('Text')
    expect(complaints()).toEqual([])
    await close()
  })
})

describe('what somebody else saved meanwhile', () => {
  const partOf = async (path: string, name: string): Promise<Item & { readonly id: string }> => {
    const found = (await items(path)).find((item) => item['name'] === name)
    if (!found) throw new Error(`no ${name}`)
    return found as Item & { readonly id: string }
  }

  /** What is asked for again on opening must not bring the others' change early. */
  const atRest = async (id: string, tab: string) => {
    const opened = await at(id, tab)
    await opened.page.waitForLoadState('networkidle')
    return opened
  }

  /** The page reads what others have saved when it likes: it may show it early. */
  const eitherForm = (page: Page, before: string, after: string) =>
    page.getByRole('form', { name: new RegExp(`^(${before}|${after})$`) })

  // What is saved is read just before, so that the others' change shows before one's own is stored.
  const nextSave = (page: Page) => page.waitForResponse((response) => response.request().method() === 'PATCH')

  test('stays, of a question: only what was changed is sent', async () => {
    const id = await givenSettings(team, 'two at a question')
    const tone = () => partOf(`/datasets/${id}/questions`, 'tone')
    const { page, close, complaints } = await atRest(id, 'questions')
    const { id: questionId } = await tone()
    const save = nextSave(page)
    await asOwner(team.server, 'PATCH', `/questions/${questionId}`, { title: 'Theirs' })
    await eitherForm(page, 'Tone', 'Theirs')
      .getByRole('textbox', { name: ui('features/settings:description') })
      .fill('Mine.')
    await eitherForm(page, 'Tone', 'Theirs')
      .getByRole('button', { name: ui('features/settings:update') })
      .click()
    expect((await save).request().postDataJSON()).toEqual({ description: 'Mine.' })
    await form(page, 'Theirs').waitFor()
    expect(await tone()).toMatchObject({ title: 'Theirs', description: 'Mine.' })
    expect(complaints()).toEqual([])
    await close()
  })

  test('stays, of its labels: each text by itself, and the order', async () => {
    const id = await givenSettings(team, 'two at labels')
    const tone = () => partOf(`/datasets/${id}/questions`, 'tone')
    const { page, close, complaints } = await atRest(id, 'questions')
    const { id: questionId } = await tone()
    const options = ['negative', 'neutral', 'positive'].map((value) => ({
      value,
      // What both change is asked about.
      text: value === 'neutral' ? 'Neutral' : `Theirs ${value}`,
    }))
    const save = nextSave(page)
    await asOwner(team.server, 'PATCH', `/questions/${questionId}`, { settings: { type: 'label_selection', options } })
    await form(page, 'Tone')
      .getByRole('textbox', { name: ui('question-types/shared:options.text', { value: 'neutral' }) })
      .fill('Mine')
    await update(page, 'Tone').click()
    await save
    await saved(page, 'Tone')
    const stored = (await tone())['settings'] as { options: { text: string }[] }
    expect(stored.options.map(({ text }) => text)).toEqual(['Theirs negative', 'Mine', 'Theirs positive'])
    await expect
      .poll(() =>
        form(page, 'Tone')
          .getByRole('textbox', { name: ui('question-types/shared:options.text', { value: 'positive' }) })
          .inputValue(),
      )
      .toBe('Theirs positive')
    expect(complaints()).toEqual([])
    await close()
  })

  test('stays, of a field and of metadata', async () => {
    const id = await givenSettings(team, 'two at parts')
    const { page, close } = await atRest(id, 'fields')
    const text = await partOf(`/datasets/${id}/fields`, 'text')
    const fieldSave = nextSave(page)
    await asOwner(team.server, 'PATCH', `/fields/${text.id}`, { title: 'Theirs' })
    await eitherForm(page, 'Text', 'Theirs')
      .getByRole('switch', { name: ui('field-types/text:useMarkdown') })
      .check()
    await eitherForm(page, 'Text', 'Theirs')
      .getByRole('button', { name: ui('features/settings:update') })
      .click()
    await fieldSave
    await form(page, 'Theirs').waitFor()
    expect(await items(`/datasets/${id}/fields`)).toMatchObject([{ title: 'Theirs', settings: { use_markdown: true } }])
    const read = page.waitForResponse((response) => response.url().endsWith('/metadata-properties'))
    await page.getByRole('link', { name: /^Metadata/ }).click()
    await form(page, 'Source').waitFor()
    await read
    const source = await partOf(`/me/datasets/${id}/metadata-properties`, 'source')
    const propertySave = nextSave(page)
    await asOwner(team.server, 'PATCH', `/metadata-properties/${source.id}`, { title: 'Whence', visible_for_annotators: true })
    await eitherForm(page, 'Source', 'Whence').getByRole('switch').uncheck()
    await eitherForm(page, 'Source', 'Whence')
      .getByRole('button', { name: ui('features/settings:update') })
      .click()
    await propertySave
    await form(page, 'Whence').waitFor()
    expect(await items(`/me/datasets/${id}/metadata-properties`)).toMatchObject([
      { title: 'Whence', visible_for_annotators: false },
    ])
    await close()
  })

  test('is shown when one comes back to the window or opens a part, beside what is not saved yet', async () => {
    const id = await givenSettings(team, 'coming back')
    const { page, close } = await atRest(id, 'questions')
    const { id: questionId } = await partOf(`/datasets/${id}/questions`, 'note')
    await form(page, 'Note')
      .getByRole('textbox', { name: ui('features/settings:description') })
      .fill('Mine.')
    await asOwner(team.server, 'PATCH', `/questions/${questionId}`, { title: 'Second' })
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await form(page, 'Second').getByText(ui('features/settings:unsaved')).waitFor()
    await asOwner(team.server, 'PATCH', `/questions/${questionId}`, { title: 'Third' })
    await page.getByRole('link', { name: /^Vectors/ }).click()
    await page.getByRole('link', { name: /^Questions/ }).click()
    const third = form(page, 'Third')
    await expect.poll(() => third.getByRole('textbox', { name: ui('features/settings:itemTitle') }).inputValue()).toBe('Third')
    await expect.poll(() => third.getByRole('textbox', { name: ui('features/settings:description') }).inputValue()).toBe('Mine.')
    await close()
  })
})

describe('what may be written', () => {
  test('is told under the input, with the bound, and keeps the form from being sent', async () => {
    const id = await givenSettings(team, 'bounded')
    const { page, close, complaints } = await at(id, 'general')
    const isRefused = async (title: string, label: string, text: string, message: string) => {
      const input = form(page, title).getByLabel(label, { exact: true })
      const before = await input.inputValue()
      await input.fill(text)
      await form(page, title).getByText(message, { exact: true }).waitFor()
      await expect.poll(() => update(page, title).getAttribute('aria-disabled')).toBe('true')
      await input.press('Enter')
      await form(page, title)
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
    const most = [ui('features/settings:handingOut.title'), ui('features/settings:handingOut.most')] as const
    await isRefused(...most, '-1', ui('features/settings:fault.wholeNumber', { min: '1' }))
    await isRefused(...most, '1000000001', ui('features/settings:fault.tooGreat', { max: '1,000,000,000' }))
    await page.getByRole('link', { name: /^Fields/ }).click()
    await isRefused(
      'Text',
      ui('features/settings:itemTitle'),
      'x'.repeat(501),
      ui('features/settings:fault.tooLong', { max: '500' }),
    )
    await page.getByRole('link', { name: /^Questions/ }).click()
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
    await page.getByRole('link', { name: /^Metadata/ }).click()
    await isRefused(
      'Source',
      ui('features/settings:itemTitle'),
      'x'.repeat(501),
      ui('features/settings:fault.tooLong', { max: '500' }),
    )
    await page.getByRole('link', { name: /^Vectors/ }).click()
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

  test('reads from the right where it is written so', async () => {
    const id = await givenSettings(team, 'from the right')
    const { page, close } = await at(id, 'general')
    const direction = (input: Locator) => input.evaluate((element) => getComputedStyle(element).direction)
    const guidelines = page.getByRole('textbox', { name: ui('features/settings:general.guidelines') })
    expect(await direction(guidelines)).toBe('ltr')
    await guidelines.fill('اقرأ النص كله ثم أجب, then OK')
    await expect.poll(() => direction(guidelines)).toBe('rtl')
    await page.getByRole('link', { name: /^Questions/ }).click()
    const label = form(page, 'Tone').getByRole('textbox', {
      name: ui('question-types/shared:options.text', { value: 'neutral' }),
    })
    await label.fill('מחייב')
    await expect.poll(() => direction(label)).toBe('rtl')
    await close()
  })
})
