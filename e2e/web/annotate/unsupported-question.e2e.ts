import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { LABEL_AND_NOTE, openAnnotation, question } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()
const { seedRecords, onlyStoredAnswer } = annotationTest(team)

/** Responds like a newer server, on which the question `note` has a type that this page doesn't support. */
const withNewType = async (route: Route): Promise<void> => {
  const response = await route.fetch()
  const setup = (await response.json()) as { readonly questions: readonly { readonly name: string }[] }
  const questions = setup.questions.map((one) =>
    one.name === 'note' ? { ...one, settings: { type: 'hologram', depth: 3 } } : one,
  )
  await route.fulfill({ response, json: { ...setup, questions } })
}

test('a question of an unknown type says so in its place, and the others can be answered', async () => {
  const id = await seedRecords([{ fields: { text: 'Some words' } }], { questions: LABEL_AND_NOTE })
  const opened = await openPage(team.browser, team.server.url)
  const { page } = opened
  await createSession(page, team.server.url)
  await page.route(/\/api\/v1\/me\/datasets\/[^/]+\/annotation$/, withNewType)
  await openAnnotation(page, id)
  await question(page, 'note')
    .getByText(ui('question-types/shared:unsupported', { type: 'hologram' }))
    .waitFor()
  await question(page, 'label').focus()
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  expect(await onlyStoredAnswer(id)).toMatchObject({ status: 'submitted', values: { label: 'yes' } })
  expect(opened.complaints()).toEqual([])
  await opened.close()
})
