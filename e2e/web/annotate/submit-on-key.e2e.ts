import { detail } from '@postil/testkit/detail.ts'
import { variants } from '@postil/testkit/run-size.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { expectLeft, LABEL_AND_NOTE, openAnnotation, storedAnswers } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

/* A key that answers the only question also submits the answer, but only if the user has turned on this option. Pressing Enter
   right after the key doesn't submit the next record. */

const team = setUpSharedTeam()
const { seedRecords, open } = annotationTest(team)
const { label } = LABEL_AND_NOTE
const rating = { title: 'Rating', required: true, settings: { type: 'rating', options: [1, 2, 3].map((value) => ({ value })) } }

const seed = (question: object) =>
  seedRecords(
    [1, 2, 3, 4].map((number) => ({ fields: { text: `Record ${number}` } })),
    { questions: { question } },
  )
const onSwitch = (page: Page) => page.getByRole('switch', { name: ui('features/annotate:submitOnKey.label') })
const note = (page: Page) => page.getByRole('listitem').getByText(ui('features/annotate:done.submittedByKey'))
const valuesOf = async (id: string) =>
  [...(await storedAnswers(team.server, id)).values()].map(({ values }) => values['question'])

test.each(
  variants(1, [
    ['label', label, 'no'],
    ['rating', rating, 2],
  ]),
)('in a dataset with one %s question, a key and Enter submit one record', async (_, question, stored) => {
  const id = await seed(question)
  const { page, done } = await open(id)
  await page.keyboard.press('2')
  await page.locator('[aria-checked="true"][data-option]').waitFor()
  await expectLeft(page, 4)
  await page.keyboard.press('Enter')
  await expectLeft(page, 3)
  await expect.poll(() => valuesOf(id)).toEqual([stored])
  expect(await note(page).count()).toBe(0)
  await done()
})

detail('once it is switched on, a key submits, the Enter after it does nothing, and the notification undoes it', async () => {
  const id = await seed(label)
  const { page, done } = await open(id)
  await onSwitch(page).click()
  // The focus is back on the question, so that its keys work.
  await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-question'))).toBe(true)
  expect(await findViolations(page)).toEqual([])
  // Stops the clock. On a slow machine, too much time could pass between two key presses.
  await page.evaluate(() => {
    const now = performance.now()
    performance.now = () => now
  })
  await page.keyboard.press('2')
  await page.keyboard.press('Enter')
  await expectLeft(page, 3)
  await note(page).waitFor()
  expect(await page.locator('[data-missing]').count()).toBe(0)
  await expect.poll(() => valuesOf(id)).toEqual(['no'])
  // Soon after, Enter works again.
  await page.evaluate(() => Reflect.deleteProperty(performance, 'now'))
  await expect.poll(() => page.keyboard.press('Enter').then(() => page.locator('[data-missing]').count())).toBe(1)
  const notification = page.getByRole('listitem').filter({ hasText: ui('features/annotate:done.submittedByKey') })
  await notification.getByRole('button', { name: ui('features/annotate:action.undo') }).click()
  await expectLeft(page, 4)
  await expect.poll(() => valuesOf(id)).toEqual([])
  // Another action makes the notification disappear. Otherwise, the notification's undo button would undo the new action.
  await page.keyboard.press('1')
  await note(page).waitFor()
  await page.keyboard.press('Backspace')
  await note(page).waitFor({ state: 'detached' })
  await expectLeft(page, 2)
  await done()
})

detail('the switch is remembered for the user, not for others in the same browser', async () => {
  const id = await seed(label)
  await seedUser(team.server, 'kim', 'annotator', [team.workspaceId])
  const { page, context, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
  await openAnnotation(page, id)
  await onSwitch(page).click()
  await openAnnotation(page, id)
  expect(await onSwitch(page).isChecked()).toBe(true)
  await context.clearCookies()
  await createSession(page, team.server.url, 'kim', PASSWORD)
  await openAnnotation(page, id)
  expect(await onSwitch(page).isChecked()).toBe(false)
  await close()
})

detail('datasets with more questions have no such switch', async () => {
  const id = await seedRecords([{ fields: { text: 'Record' } }], { questions: LABEL_AND_NOTE })
  const { page, done } = await open(id)
  await page.keyboard.press('1')
  expect(await onSwitch(page).count()).toBe(0)
  await done()
})
