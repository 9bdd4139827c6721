import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { answers, givenAnnotation, LABEL_AND_NOTE, left, openAnnotation, question } from '../ground/annotation.ts'
import { setUpTeam } from '../ground/team.ts'
import { draftsOnDisk, onDisk } from '../support/device.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()
const ANSWER = '**/responses/mine'

/** A record is answered, and edited once more, while no answer gets to the server. */
const editOwn = async (name: string) => {
  const records = [{ fields: { text: 'One' } }, { fields: { text: 'Two' } }]
  const id = await givenAnnotation(team.server, { name, workspaceId: team.workspaceId, questions: LABEL_AND_NOTE, records })
  const { page, context, close } = await openPage(team.browser, team.server.url)
  await haveSession(page, team.server.url)
  await context.route(ANSWER, (route) => route.abort())
  await openAnnotation(page, id)
  await page.keyboard.press('1')
  await page.keyboard.press(ui('features/guides:keys.key.enter'))
  await left(page, '1 left')
  await page.getByRole('button', { name: ui('features/annotate:shortcuts.previous') }).click()
  await question(page, 'note').getByRole('textbox').fill('and a note')
  await draftsOnDisk(page, 1)
  return { id, page, context, close }
}

const submitNote = async (page: Page, id: string): Promise<void> => {
  await expect.poll(() => question(page, 'note').getByRole('textbox').inputValue()).toBe('and a note')
  await page.getByRole('button', { name: /^Submit/ }).click()
  const given = { status: 'submitted', values: { label: 'yes', note: 'and a note' } }
  await expect.poll(async () => [...(await answers(team.server, id)).values()]).toEqual([given])
  expect(await page.getByText(ui('features/annotate:save.short.conflict')).count()).toBe(0)
}

test('edits of an own answer that was not confirmed are submitted after it was sent by another tab', async () => {
  const { id, page, context, close } = await editOwn('sent by another')
  await page.close()
  await context.unroute(ANSWER)
  const other = await context.newPage()
  await other.goto('/')
  await expect.poll(async () => (await answers(team.server, id)).size).toBe(1)
  await onDisk(other, 0)
  await openAnnotation(other, id, '?status=submitted')
  await submitNote(other, id)
  await close()
})

test('edits of an own answer that was not confirmed are submitted where the page was loaded again before it was sent', async () => {
  const { id, page, context, close } = await editOwn('loaded again')
  await openAnnotation(page, id)
  await page.getByRole('button', { name: ui('features/annotate:shortcuts.previous') }).click()
  await page.locator('section[data-status=submitted]').waitFor()
  await context.unroute(ANSWER)
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect.poll(async () => (await answers(team.server, id)).size).toBe(1)
  await onDisk(page, 0)
  await submitNote(page, id)
  await close()
})
