import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { openAnnotation, RECORD, seedAnnotationDataset, storedRecords } from '../fixtures/annotation.ts'
import { callAsOwner, PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { expectStoredAnswers } from '../support/device.ts'
import { createSession } from '../support/sign-in.ts'

/* The position in the queue is in the URL, so that Back and a reload work. */

const team = setUpSharedTeam()

let createdCount = 0
const LABEL = {
  label: {
    title: 'Label',
    required: true,
    settings: { type: 'label_selection', options: ['Yes', 'No'].map((text) => ({ value: text.toLowerCase(), text })) },
  },
}
const seed = (records: number) =>
  seedAnnotationDataset(team.server, {
    name: `position ${++createdCount}`,
    workspaceId: team.workspaceId,
    questions: LABEL,
    records: Array.from({ length: records }, (_, index) => ({ fields: { text: `Record ${index + 1}.` } })),
  })
const openAsNewAnnotator = async (id: string) => {
  const username = `annotator${++createdCount}`
  await seedUser(team.server, username, 'annotator', [team.workspaceId])
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url, username, PASSWORD)
  await openAnnotation(opened.page, id)
  return opened
}
const record = (page: Page) => page.locator(RECORD).getByText(/^Record \d+\.$/)
/** The current record, or undefined at the end of the list. */
const shown = async (page: Page): Promise<string | undefined> => (await record(page).allInnerTexts())[0]
const answer = async (page: Page): Promise<string> => {
  const text = await record(page).innerText()
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect.poll(() => shown(page)).not.toBe(text)
  return text
}
/** The position in the URL, or null at the first position. */
const pageOf = (page: Page): string | null => new URL(page.url()).searchParams.get('page')
const answerCounts = async (id: string) => (await storedRecords(team.server, id)).map(({ responses }) => responses.length)

test('Back and Forward move between the records of the queue, even after a reload and from its end', async () => {
  const id = await seed(4)
  const { page, complaints, close } = await openAsNewAnnotator(id)
  const isAt = async (position: number, text: string | undefined): Promise<void> => {
    await expect.poll(() => shown(page)).toBe(text)
    await expect.poll(() => pageOf(page)).toBe(position === 1 ? null : String(position))
  }
  const texts: string[] = [await record(page).innerText()]
  await isAt(1, texts[0])
  await page.getByRole('button', { name: uiPattern('features/annotate:pager.next') }).click()
  await expect.poll(() => shown(page)).not.toBe(texts[0])
  texts.push(await answer(page))
  texts.push(await record(page).innerText())
  await isAt(3, texts[2])
  // Waits until the answer is on the server. Otherwise, the queue could assign the record again after the reload.
  await expectStoredAnswers(page, 0)
  await page.reload()
  await isAt(3, texts[2])
  await page.goBack()
  await isAt(2, texts[1])
  await page.reload()
  await isAt(2, texts[1])
  await page.goForward()
  await isAt(3, texts[2])
  await page.goBack()
  await page.goBack()
  await isAt(1, texts[0])
  // The queue ends after the records that are still open: the skipped one, and the last two.
  for (let i = 0; i < 3; i++) await answer(page)
  await page.getByText(ui('features/annotate:end.completed')).waitFor()
  await page.goBack()
  await expect.poll(() => shown(page)).not.toBe(undefined)
  await expect.poll(() => answerCounts(id)).toEqual([1, 1, 1, 1])
  expect(complaints()).toEqual([])
  await close()
})

/** Skips the current record. @returns its text */
const skip = async (page: Page): Promise<string> => {
  const text = await record(page).innerText()
  await page.getByRole('button', { name: uiPattern('features/annotate:pager.next') }).click()
  await expect.poll(() => shown(page)).not.toBe(text)
  return text
}
const recordIdOf = async (id: string, text: string | undefined) =>
  (await storedRecords(team.server, id)).find(({ fields }) => fields['text'] === text)?.id

/** Reloads the page and defers its idle work from then on. @returns a function that runs this work */
const reloadWithoutIdle = async (page: Page): Promise<() => Promise<void>> => {
  await page.addInitScript(() => {
    const idle: (() => void)[] = []
    const runIdle = (): void => {
      for (const run of idle.splice(0)) run()
    }
    Object.assign(window, { requestIdleCallback: (run: () => void) => idle.push(run), runIdle })
  })
  await page.reload()
  await record(page).waitFor()
  return () => page.evaluate(() => (window as unknown as { runIdle: () => void }).runIdle())
}

test('each record has an entry in the history, even if the URL changes late', async () => {
  const { page, complaints, close } = await openAsNewAnnotator(await seed(4))
  const runIdle = await reloadWithoutIdle(page)
  await skip(page)
  const second = await answer(page)
  expect(pageOf(page)).toBe(null)
  await runIdle()
  await expect.poll(() => pageOf(page)).toBe('3')
  await page.goBack()
  await expect.poll(() => shown(page)).toBe(second)
  expect(pageOf(page)).toBe('2')
  expect(complaints()).toEqual([])
  await close()
})

test('a reload before the URL has changed returns to the record on the screen', async () => {
  const { page, complaints, close } = await openAsNewAnnotator(await seed(4))
  await reloadWithoutIdle(page)
  await skip(page)
  await answer(page)
  const third = await record(page).innerText()
  expect(pageOf(page)).toBe(null)
  await page.reload()
  await expect.poll(() => shown(page)).toBe(third)
  expect(complaints()).toEqual([])
  await close()
})

test('Back passes records that were deleted', async () => {
  const id = await seed(4)
  const { page, complaints, close } = await openAsNewAnnotator(id)
  const texts = [await answer(page), await answer(page), await record(page).innerText()]
  await expect.poll(async () => (await answerCounts(id)).toSorted()).toEqual([0, 0, 1, 1])
  await expectStoredAnswers(page, 0)
  await page.reload()
  await expect.poll(() => shown(page)).toBe(texts[2])
  await callAsOwner(team.server, 'DELETE', `/records/${await recordIdOf(id, texts[1])}`)
  await page.goBack()
  await expect.poll(() => shown(page)).toBe(texts[0])
  await page.goForward()
  await expect.poll(() => shown(page)).toBe(texts[2])
  expect(complaints()).toEqual([])
  await close()
})

test("an owner who goes back after a reload sees only the owner's own answers", async () => {
  const id = await seed(3)
  const order = [{ scope: { entity: 'record', property: 'inserted_at' }, order: 'asc' }]
  await callAsOwner(team.server, 'PUT', `/datasets/${id}/queue-settings`, { order })
  const { page, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
  await openAnnotation(page, id)
  const first = await skip(page)
  const ann = await openAsNewAnnotator(id)
  expect(await answer(ann.page)).toBe(first)
  await expect.poll(() => answerCounts(id)).toEqual([1, 0, 0])
  const second = await record(page).innerText()
  await page.reload()
  await expect.poll(() => shown(page)).toBe(second)
  await page.goBack()
  await expect.poll(() => shown(page)).toBe(first)
  await page.locator('section[data-status=pending]').waitFor()
  expect(await page.locator('form input:checked').count()).toBe(0)
  await ann.close()
  await close()
})

test('the next user of a tab starts at the first position', async () => {
  const id = await seed(6)
  const { page, close } = await openAsNewAnnotator(id)
  await skip(page)
  await skip(page)
  await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('3')
  const address = page.url()
  await page.getByRole('button', { name: uiPattern('common:user.menu') }).click()
  await page.getByRole('menuitem', { name: ui('common:user.signOut') }).click()
  await page.getByRole('button', { name: ui('features/auth:signIn') }).waitFor()
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('postil.queue')))).toEqual([])
  const next = `annotator${++createdCount}`
  await seedUser(team.server, next, 'annotator', [team.workspaceId])
  await createSession(page, team.server.url, next, PASSWORD)
  await page.goto(address)
  await record(page).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('1')
  const previous = page.getByRole('button', { name: uiPattern('features/annotate:pager.previous') })
  expect(await previous.getAttribute('aria-disabled')).toBe('true')
  await close()
})

test('a dataset that is deleted while it is open is reported, and unsaved answers can be copied', async () => {
  const id = await seed(3)
  const username = `annotator${++createdCount}`
  await seedUser(team.server, username, 'annotator', [team.workspaceId])
  const { page, close } = await openPage(team.browser, team.server.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  await createSession(page, team.server.url, username, PASSWORD)
  await openAnnotation(page, id)
  const text = await record(page).innerText()
  const recordId = await recordIdOf(id, text)
  await callAsOwner(team.server, 'DELETE', `/datasets/${id}`)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await page
    .getByRole('heading', { name: ui('features/deleted-dataset:title', { name: `position ${createdCount - 1}` }) })
    .waitFor()
  await page.getByRole('button', { name: ui('features/deleted-dataset:copy', { count: 1 }) }).click()
  await expect
    .poll(async () => JSON.parse((await page.evaluate(() => navigator.clipboard.readText())) || 'null'))
    .toEqual([{ dataset_id: id, record_id: recordId, status: 'submitted', values: { label: { value: 'yes' } } }])
  await page
    .getByRole('main')
    .getByRole('link', { name: ui('common:error.backHome') })
    .click()
  await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
  await close()
})
