import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, openPage } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { openAnnotation, QUESTIONS, question, seedAnnotationDataset, shownSpans } from '../fixtures/annotation.ts'
import { callAsOwner } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { openItem, openPanel } from '../support/filtering.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()

const { tone, entities } = QUESTIONS
const seed = (name: string) =>
  seedAnnotationDataset(team.server, {
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
  (await callAsOwner<Listed>(team.server, 'GET', `/datasets/${dataset}/label-colours`)).items.map(({ colours }) => colours)

const form = (page: Page, title: string) => page.getByRole('form', { name: title, exact: true })
const colourOf = (within: Page | Locator, label: string) =>
  within.getByRole('button', { name: uiPattern('question-types/shared/options:colours.button', { label }) })
const save = async (page: Page, title: string): Promise<void> => {
  await page.keyboard.press('Escape')
  await form(page, title)
    .getByRole('button', { name: ui('features/settings:update') })
    .click()
  await form(page, title).getByText(ui('features/settings:unsaved')).waitFor({ state: 'detached' })
}
/** Waits until the element's colors use the hue. Labels are shown before their hue is known. */
const expectHue = (element: Locator, hue: string): Promise<void> =>
  expect
    .poll(() => element.evaluate((one) => /hsl\((\d+)/.exec((one as HTMLElement).style.getPropertyValue('--label-line'))?.[1]))
    .toBe(hue)

test('a color is chosen by keyboard, shown wherever the label is, and reset to the default', async () => {
  const dataset = await seed('coloured')
  const { page, close, complaints } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
  await page.goto(`/dataset/${dataset}/settings?tab=questions`)
  const positive = colourOf(form(page, 'Tone'), 'Positive')
  await expect
    .poll(() => positive.getAttribute('aria-label'))
    .toBe(
      ui('question-types/shared/options:colours.button', {
        label: 'Positive',
        colour: ui('question-types/shared/options:colours.automatic'),
      }),
    )
  await positive.press('Enter')
  const palette = page.getByRole('dialog', { name: ui('question-types/shared/options:colours.of', { label: 'Positive' }) })
  await palette.getByRole('radio', { name: ui('question-types/shared/options:colours.automatic') }).press('ArrowUp')
  await expect
    .poll(() => palette.getByRole('radio', { name: ui('question-types/shared/options:colours.rose') }).isChecked())
    .toBe(true)
  expect(await findViolations(page)).toEqual([])
  await palette.getByRole('radio', { name: ui('question-types/shared/options:colours.blue'), exact: true }).check()
  const preview = page.getByRole('region', { name: /Tone/ }).getByRole('radio', { name: 'Positive' })
  await expectHue(preview.locator('[style]'), '220')
  await save(page, 'Tone')
  await colourOf(form(page, 'Entities'), 'Person').click()
  await page.getByRole('radio', { name: ui('question-types/shared/options:colours.pink') }).check()
  await save(page, 'Entities')
  await expect.poll(() => stored(dataset)).toEqual([[{ value: 'positive', hue: 220 }], [{ value: 'person', hue: 310 }]])

  await openAnnotation(page, dataset)
  const label = question(page, 'tone').getByRole('radio', { name: /^Positive/ })
  await expectHue(label.locator('[style]'), '220')
  expect(await question(page, 'tone').getByRole('radio', { name: 'Neutral' }).locator('[style]').count()).toBe(0)
  await expectHue(question(page, 'entities').getByRole('radio', { name: 'Person' }), '310')
  await expect.poll(() => shownSpans(page)).toHaveLength(1)
  await openPanel(page, ui('features/annotate:filters.title'))
  const value = (await openItem(page, 'Tone')).locator('label').filter({ hasText: 'Positive' })
  await expectHue(value.locator('[style]'), '220')
  await page.keyboard.press('Escape')

  await page.goto(`/dataset/${dataset}/settings?tab=questions`)
  await expect
    .poll(() => positive.getAttribute('aria-label'))
    .toBe(
      ui('question-types/shared/options:colours.button', {
        label: 'Positive',
        colour: ui('question-types/shared/options:colours.blue'),
      }),
    )
  await positive.click()
  await palette.getByRole('radio', { name: ui('question-types/shared/options:colours.automatic') }).check()
  await save(page, 'Tone')
  await expect.poll(() => stored(dataset)).toEqual([[{ value: 'person', hue: 310 }]])
  expect(complaints()).toEqual([])
  await close()
})
