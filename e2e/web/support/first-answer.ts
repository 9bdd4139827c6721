import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { actionButton, FORM } from '../fixtures/annotation.ts'
import { PASSWORD } from '../fixtures/seed.ts'
import type { Team } from '../fixtures/team.ts'
import { choose } from './creation-form.ts'
import { createSession } from './sign-in.ts'

const FOLDER = join(import.meta.dirname, '..', 'create', 'import-files')

/** Answers every question that has no value yet, with the first option or with text. */
const answerQuestions = async (page: Page): Promise<void> => {
  const form = page.locator(FORM)
  for (const group of await form.getByRole('radiogroup').all()) {
    if ((await group.getByRole('radio', { checked: true }).count()) === 0) await group.getByRole('radio').first().click()
  }
  for (const box of await form.getByRole('textbox').all()) {
    if (await box.isEditable()) await box.fill('An answer')
  }
}

/** The drop-down lists that map the columns to parts of a record. */
const rolesOf = (page: Page) =>
  page.getByRole('combobox', { name: uiPattern('features/create:columns.becomes', { column: /.*/ }) })

const submittedAnswers = async (page: Page, datasetId: string): Promise<number> => {
  const answer = await page.request.get(`/api/v1/me/datasets/${datasetId}/metrics`)
  const { responses } = (await answer.json()) as { responses: { submitted: number } }
  return responses.submitted
}

/**
 * Creates a dataset from a file with the mapping that the form proposes, and answers its first record. If the form proposes no
 * question, adds one.
 * @param path the file, in the folder `import-files`
 */
export const answerFirstRecord = async (team: Team, username: string, path: string): Promise<void> => {
  const { page, close, complaints } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url, username, PASSWORD)
  await page.goto('/new')
  await choose(page, path.split('/').at(-1) ?? path, readFileSync(join(FOLDER, path)))
  const name = page.getByLabel(ui('features/create:about.name'))
  await name.fill(path.replaceAll(/[^a-z0-9]/gi, '_'))
  await rolesOf(page).first().waitFor()
  const roles = await Promise.all((await rolesOf(page).all()).map((one) => one.inputValue()))
  // The form proposes no question for text without labels, because only the dataset's author knows what to ask.
  if (!roles.includes('question')) {
    await page.getByRole('button', { name: ui('features/create:questions.add') }).click()
    await page.getByRole('menuitem', { name: ui('question-types/text:name') }).click()
  }
  await page.getByRole('button', { name: ui('features/create:bar.createAndImport') }).click()
  const annotate = page.getByRole('link', { name: ui('features/create:imports.annotate') })
  await annotate.waitFor({ timeout: 60_000 })
  await annotate.click()
  await page.waitForURL(/annotation-mode/)
  const datasetId = /dataset\/([^/]+)/.exec(page.url())?.[1] ?? ''
  await actionButton(page, 'submit').waitFor()
  await answerQuestions(page)
  await actionButton(page, 'submit').click()
  await expect.poll(() => submittedAnswers(page, datasetId), { timeout: 15_000 }).toBe(1)
  expect(complaints()).toEqual([])
  await close()
}
