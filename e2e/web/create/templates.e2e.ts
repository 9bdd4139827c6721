import { variants } from '@postil/testkit/run-size.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'

import { findViolations, openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'
import { waitForKeyFocus } from '../support/wait-for-key-focus.ts'

const team = setUpSharedTeam()

const templateNames = ['classification', 'entities', 'preference', 'turns', 'arena', 'relevance', 'traces'] as const

const start = async (): Promise<{ readonly page: Page; readonly done: () => Promise<void> }> => {
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url)
  await opened.page.goto('/new')
  return {
    page: opened.page,
    done: async () => {
      expect(opened.complaints()).toEqual([])
      await opened.close()
    },
  }
}
const useTemplate = (page: Page, name: (typeof templateNames)[number], action: 'use' | 'sample') =>
  page.getByRole('button', {
    name: `${ui(`features/create:template.${action}`)} ${ui(`features/create:template.${name}.title`)}`,
    exact: true,
  })

test.each(variants(1, templateNames))('the template %s becomes a dataset with sample records by keyboard', async (name) => {
  const { page, done } = await start()
  await useTemplate(page, name, 'sample').focus()
  await page.keyboard.press('Enter')
  const create = page.getByRole('button', { name: ui('features/create:bar.createAndImport'), exact: true })
  await create.waitFor()
  // A server with several workspaces leaves the choice to the user.
  const workspace = page.getByRole('combobox', { name: ui('features/create:about.workspace') })
  if (await workspace.isVisible()) await workspace.selectOption({ index: 1 })
  expect(await findViolations(page)).toEqual([])
  await create.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/import$/)
  const annotate = page.getByRole('link', { name: ui('features/create:imports.annotate') })
  await annotate.focus()
  await page.keyboard.press('Enter')
  await waitForKeyFocus(page)
  await page.locator('[data-question]').first().waitFor()
  await done()
})

test('a template without records opens in the form, where it can be changed', async () => {
  const { page, done } = await start()
  await useTemplate(page, 'arena', 'use').click()
  const names = page.getByLabel(ui('features/create:part.name'), { exact: true })
  await expect
    .poll(async () => Promise.all((await names.all()).map((input) => input.inputValue())))
    .toEqual(expect.arrayContaining(['prompt', 'response_a', 'response_b', 'better', 'model_a', 'model_b']))
  await done()
})
