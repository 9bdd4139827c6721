import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import {
  actionButton,
  expectLeft,
  LABEL_AND_NOTE,
  openAnnotation,
  question,
  seedAnnotationDataset,
  storedAnswers,
} from '../fixtures/annotation.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { expectStoredAnswers, expectStoredDrafts } from '../support/device.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()
const ANSWER = '**/responses/mine'

/** Answers a record and then edits the answer. All requests that send answers fail. */
const editOwn = async (name: string) => {
  const records = [{ fields: { text: 'One' } }, { fields: { text: 'Two' } }]
  const id = await seedAnnotationDataset(team.server, { name, workspaceId: team.workspaceId, questions: LABEL_AND_NOTE, records })
  const { page, context, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
  await context.route(ANSWER, (route) => route.abort())
  await openAnnotation(page, id)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expectLeft(page, 1)
  await page.getByRole('button', { name: uiPattern('features/annotate:pager.previous') }).click()
  await question(page, 'note').getByRole('textbox').fill('and a note')
  await expectStoredDrafts(page, 1)
  return { id, page, context, close }
}

const submitNote = async (page: Page, id: string): Promise<void> => {
  await expect.poll(() => question(page, 'note').getByRole('textbox').inputValue()).toBe('and a note')
  await actionButton(page, 'submit').click()
  const confirmed = { status: 'submitted', values: { label: 'yes', note: 'and a note' } }
  await expect.poll(async () => [...(await storedAnswers(team.server, id)).values()]).toEqual([confirmed])
  expect(await page.getByText(ui('features/annotate:save.short.conflict')).count()).toBe(0)
}

test('edits of an unconfirmed answer are submitted after another tab has sent the answer', async () => {
  const { id, page, context, close } = await editOwn('sent by another')
  await page.close()
  await context.unroute(ANSWER)
  const other = await context.newPage()
  await other.goto('/')
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(1)
  await expectStoredAnswers(other, 0)
  await openAnnotation(other, id, '?status=submitted')
  await submitNote(other, id)
  await close()
})

test('edits of an unconfirmed answer are submitted if the page is reloaded before the answer is sent', async () => {
  const { id, page, context, close } = await editOwn('loaded again')
  await openAnnotation(page, id)
  await page.getByRole('button', { name: uiPattern('features/annotate:pager.previous') }).click()
  await page.locator('section[data-status=submitted]').waitFor()
  await context.unroute(ANSWER)
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(1)
  await expectStoredAnswers(page, 0)
  await submitNote(page, id)
  await close()
})
