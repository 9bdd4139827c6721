import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations, PHONE } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, seedUser } from '../fixtures/seed.ts'
import { expectSaved, formNamed, openSettings, seedSettingsDataset, updateButton } from '../fixtures/settings.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const team = setUpSharedTeam()
beforeAll(() => seedUser(team.server, 'adam', 'admin', [team.workspaceId]))

const options = ['Negative', 'Neutral'].map((text) => ({ value: text.toLowerCase(), text }))
const questions = {
  tone: { title: 'Tone', required: true, settings: { type: 'label_selection', options } },
  note: { title: 'Note', required: false, settings: { type: 'text', use_markdown: false } },
  reason: { title: 'Reason', required: true, settings: { type: 'text', use_markdown: false } },
}
const metadata = [{ name: 'lang', title: 'Language', settings: { type: 'terms' } }]
const seed = (name: string) =>
  seedSettingsDataset(team, name, { questions, metadata, records: [{ fields: { text: 'One' }, metadata: { lang: 'de' } }] })

const stored = async (id: string) => {
  const { items } = await callAsOwner<{ items: { name: string; shown_when?: object }[] }>(
    team.server,
    'GET',
    `/datasets/${id}/questions`,
  )
  return items.find(({ name }) => name === 'reason')?.shown_when
}
const form = (page: Page) => formNamed(page, 'Reason')
type Key = 'addTo' | 'addGroup' | 'chooseValues' | 'metadata' | 'removeFrom' | 'shownWhen' | 'subject' | 'tree' | 'values'
const text = (key: Key, values: { readonly [name: string]: string | number } = {}) => ui(`features/conditions:${key}`, values)

test('a condition is added, nested, saved, shown in the list and removed', async () => {
  const id = await seed('conditions')
  const { page, close, complaints } = await openSettings(team, id, 'questions', 'adam', PHONE)
  await form(page)
    .getByRole('button', { name: text('addTo', { title: 'Reason' }) })
    .click()
  const subject = form(page).getByRole('combobox', { name: text('subject', { number: 1 }) })
  await subject.first().selectOption({ label: 'Tone' })
  await form(page).getByText(text('chooseValues')).waitFor()
  expect(await updateButton(page, 'Reason').getAttribute('aria-disabled')).toBe('true')
  await form(page).getByRole('checkbox', { name: 'Negative' }).check()
  await form(page)
    .getByRole('button', { name: text('addGroup') })
    .click()
  await subject.last().selectOption({ label: text('metadata', { title: 'Language' }) })
  await form(page)
    .getByRole('textbox', { name: text('values', { number: 1 }) })
    .fill('de, fr')
  expect(await findViolations(page)).toEqual([])
  await updateButton(page, 'Reason').click()
  await expectSaved(page, 'Reason')
  expect(await stored(id)).toEqual({
    all: [{ question: 'tone', in: ['negative'] }, { any: [{ metadata: 'lang', in: ['de', 'fr'] }] }],
  })
  const condition = 'Tone is Negative and Language is de or fr'
  await form(page).getByText(text('shownWhen', { condition })).waitFor()
  const tree = page.getByRole('region', { name: text('tree') })
  await tree.locator('li li', { hasText: condition }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await form(page)
    .getByRole('button', { name: text('removeFrom', { title: 'Reason' }) })
    .click()
  await expect
    .poll(() =>
      form(page)
        .getByRole('button', { name: text('addTo', { title: 'Reason' }) })
        .evaluate((button) => button === document.activeElement),
    )
    .toBe(true)
  await updateButton(page, 'Reason').click()
  await expectSaved(page, 'Reason')
  expect(await stored(id)).toBeUndefined()
  await expect.poll(() => tree.count()).toBe(0)
  expect(complaints()).toEqual([])
  await close()
})
