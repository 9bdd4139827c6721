import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, violations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { givenAnnotation, openAnnotation, QUESTIONS, question, spansShown } from '../ground/annotation.ts'
import { asOwner } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { openItem, openPanel } from '../support/filtering.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()

const { tone, entities } = QUESTIONS
const given = (name: string) =>
  givenAnnotation(team.server, {
    name,
    workspaceId: team.workspaceId,
    questions: { tone, entities },
    records: [
      {
        fields: { text: 'Ada wrote from London.' },
        suggestions: { tone: { value: 'positive' }, entities: { value: [{ label: 'person', start: 0, end: 3 }] } },
      },
    ],
  })
type Listed = { readonly items: readonly { readonly question_id: string; readonly colours: readonly unknown[] }[] }
const stored = async (dataset: string) =>
  (await asOwner<Listed>(team.server, 'GET', `/datasets/${dataset}/label-colours`)).items.map(({ colours }) => colours)

const form = (page: Page, title: string) => page.getByRole('form', { name: title, exact: true })
const colourOf = (within: Page | Locator, label: string) =>
  within.getByRole('button', { name: new RegExp(`^Colour of ${label}: `) })
const save = async (page: Page, title: string): Promise<void> => {
  await page.keyboard.press('Escape')
  await form(page, title)
    .getByRole('button', { name: ui('features/settings:update') })
    .click()
  await form(page, title).getByText(ui('features/settings:unsaved')).waitFor({ state: 'detached' })
}
/** An element's colours are made of a hue; labels are there before it is known. */
const hueIs = (element: Locator, hue: string): Promise<void> =>
  expect
    .poll(() => element.evaluate((one) => /hsl\((\d+)/.exec((one as HTMLElement).style.getPropertyValue('--label-line'))?.[1]))
    .toBe(hue)

test('a colour is chosen by keys, shown wherever the label is, and left to the page again', async () => {
  const dataset = await given('coloured')
  const { page, close, complaints } = await openPage(team.browser, team.server.url)
  await haveSession(page, team.server.url)
  await page.goto(`/dataset/${dataset}/settings?tab=questions`)
  const positive = colourOf(form(page, 'Tone'), 'Positive')
  await expect
    .poll(() => positive.getAttribute('aria-label'))
    .toBe(ui('question-types/shared:colours.button', { label: 'Positive', colour: 'Automatic' }))
  await positive.press('Enter')
  const palette = page.getByRole('dialog', { name: ui('question-types/shared:colours.of', { label: 'Positive' }) })
  await palette.getByRole('radio', { name: ui('question-types/shared:colours.automatic') }).press('ArrowUp')
  await expect.poll(() => palette.getByRole('radio', { name: ui('question-types/shared:colours.rose') }).isChecked()).toBe(true)
  expect(await violations(page)).toEqual([])
  await palette.getByRole('radio', { name: ui('question-types/shared:colours.blue'), exact: true }).check()
  const preview = page.getByRole('region', { name: /Tone/ }).getByRole('radio', { name: 'Positive' })
  await hueIs(preview.locator('[style]'), '220')
  await save(page, 'Tone')
  await colourOf(form(page, 'Entities'), 'Person').click()
  await page.getByRole('radio', { name: ui('question-types/shared:colours.pink') }).check()
  await save(page, 'Entities')
  await expect.poll(() => stored(dataset)).toEqual([[{ value: 'positive', hue: 220 }], [{ value: 'person', hue: 310 }]])

  await openAnnotation(page, dataset)
  const label = question(page, 'tone').getByRole('radio', { name: /^Positive/ })
  await hueIs(label.locator('[style]'), '220')
  expect(await question(page, 'tone').getByRole('radio', { name: 'Neutral' }).locator('[style]').count()).toBe(0)
  await hueIs(question(page, 'entities').getByRole('radio', { name: 'Person' }), '310')
  await expect.poll(() => spansShown(page)).toHaveLength(1)
  await openPanel(page, ui('features/annotate:filters.title'))
  const value = (await openItem(page, 'Tone')).locator('label').filter({ hasText: 'Positive' })
  await hueIs(value.locator('[style]'), '220')
  await page.keyboard.press('Escape')

  await page.goto(`/dataset/${dataset}/settings?tab=questions`)
  await expect
    .poll(() => positive.getAttribute('aria-label'))
    .toBe(ui('question-types/shared:colours.button', { label: 'Positive', colour: 'Blue' }))
  await positive.click()
  await palette.getByRole('radio', { name: ui('question-types/shared:colours.automatic') }).check()
  await save(page, 'Tone')
  await expect.poll(() => stored(dataset)).toEqual([[{ value: 'person', hue: 310 }]])
  expect(complaints()).toEqual([])
  await close()
})
