import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { findViolations, PHONE } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, seedUser } from '../fixtures/seed.ts'
import { expectSaved, formNamed, openSettings, seedSettingsDataset, updateButton } from '../fixtures/settings.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const team = setUpSharedTeam()
beforeAll(() => seedUser(team.server, 'adam', 'admin', [team.workspaceId]))

const options = ['Negative', 'Neutral'].map((text) => ({ value: text.toLowerCase(), text }))
const questions = { tone: { title: 'Tone', required: true, settings: { type: 'label_selection', options } } }
const text = (key: 'add' | 'name' | 'open' | 'title' | 'type') => ui(`features/settings:addQuestion.${key}`)
const retire = (key: 'hint' | 'restoreOf' | 'retireOf', title = '') => ui(`features/settings:retire.${key}`, { title })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

detail('a lead adds a question to a published dataset, retires it and restores it', async () => {
  const id = await seedSettingsDataset(team, 'published', { questions, records: [{ fields: { text: 'One' } }] })
  const { page, close, complaints } = await openSettings(team, id, 'questions', 'adam', PHONE)
  await button(page, text('open')).click()
  const dialog = page.getByRole('dialog', { name: text('title') })
  await dialog.getByRole('button', { name: text('add') }).click()
  await dialog.getByText(ui('features/settings:fault.required')).waitFor()
  await dialog.getByRole('combobox', { name: text('type') }).selectOption('turns')
  await dialog.getByText(ui('question-types/shared/options:fault.chatField')).waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('textbox', { name: text('name') }).fill('why')
  await dialog.getByRole('combobox', { name: text('type') }).selectOption('text')
  await dialog.getByRole('button', { name: text('add') }).click()
  await dialog.waitFor({ state: 'detached' })
  const form = formNamed(page, 'why')
  await form.getByText(ui('features/settings:optional'), { exact: true }).waitFor()
  const versions = page.getByRole('region', { name: ui('features/settings:versions.title') })
  await versions.getByText(ui('features/settings:change.addQuestion', { question: 'why' })).waitFor()

  await page.goto(`/dataset/${id}/annotation-mode`)
  await page.getByRole('textbox', { name: 'why' }).waitFor()
  await page.goto(`/dataset/${id}/settings?tab=questions`)
  await button(page, retire('retireOf', 'why')).click()
  await expect.poll(() => button(page, retire('restoreOf', 'why')).evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await findViolations(page)).toEqual([])
  await updateButton(page, 'why').click()
  await expectSaved(page, 'why')
  await form.getByText(ui('features/conditions:retired'), { exact: true }).waitFor()
  await versions.getByText(ui('features/settings:change.retireQuestion', { question: 'why' })).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await page.goto(`/dataset/${id}/annotation-mode`)
  await page.getByRole('radio', { name: 'Negative' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'why' }).count()).toBe(0)
  await page.goto(`/dataset/${id}/settings?tab=questions`)
  await button(page, retire('restoreOf', 'why')).click()
  await updateButton(page, 'why').click()
  await expectSaved(page, 'why')
  await versions.getByText(ui('features/settings:change.restoreQuestion', { question: 'why' })).waitFor()
  const { items } = await callAsOwner<{ items: object[] }>(team.server, 'GET', `/datasets/${id}/questions`)
  expect(items[1]).not.toHaveProperty('shown_when')
  expect(complaints()).toEqual([])
  await close()
})
