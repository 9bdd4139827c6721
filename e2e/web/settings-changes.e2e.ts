import { beforeAll, describe, expect, test } from 'vitest'
import { asOwner, givenUser } from './support/given.ts'
import { form, givenSettings, openSettings, saved, update } from './support/settings.ts'
import { setUpTeam } from './support/team.ts'

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
    await form(page, 'Text').getByRole('textbox', { name: 'Title' }).fill('Half done')
    await form(page, 'Text').getByText('Not saved yet').waitFor()
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
    await form(page, 'Words').getByRole('textbox', { name: 'Title' }).fill('Bag')
    await update(page, 'Words').click()
    await sent
    await form(page, 'Words').getByRole('textbox', { name: 'Title' }).fill('Bag of words')
    letThrough()
    await form(page, 'Bag').waitFor()
    expect(await form(page, 'Bag').getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Bag of words')
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
      const input = form(page, title).getByRole('textbox', { name: 'Title' })
      await input.fill('Another title')
      await update(page, title).click()
      await form(page, title).getByRole('alert').getByText('Not saved: It is being moved').waitFor()
      expect(await input.inputValue()).toBe(title)
      expect(await form(page, title).getByText('Not saved yet').count()).toBe(0)
      await page.unroute(`**/api/v1/${route}/*`)
      await page.getByRole('button', { name: 'Bring my change back' }).click()
      expect(await input.inputValue()).toBe('Another title')
      await update(page, title).click()
      await form(page, 'Another title').waitFor()
      await close()
    },
  )

  test('stay while one looks at another part, are marked, and leaving asks', async () => {
    const id = await givenSettings(team, 'unsaved')
    const { page, close } = await at(id, 'fields')
    await form(page, 'Text').getByRole('textbox', { name: 'Title' }).fill('Half done')
    await page.getByRole('link', { name: /^Questions/ }).click()
    await form(page, 'Tone').waitFor()
    await page.getByRole('link', { name: 'See your dataset' }).click()
    await page.getByRole('dialog').getByText("You didn't save your changes in: Fields.").waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await form(page, 'Text').getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Half done')
    await page.getByRole('link', { name: 'See your dataset' }).click()
    await page.getByRole('button', { name: 'Leave without saving' }).click()
    await page.waitForURL(/annotation-mode/)
    expect(await items(`/datasets/${id}/fields`)).toMatchObject([{ title: 'Text' }])
    await close()
  })
})
