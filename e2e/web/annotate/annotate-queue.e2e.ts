import { detail } from '@postil/testkit/detail.ts'
import { variants } from '@postil/testkit/run-size.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import {
  expectLeft,
  openAnnotation,
  RECORD,
  seedAnnotationDataset,
  storedRecords,
  teamProgressText,
} from '../fixtures/annotation.ts'
import { callAsOwner, PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { expectStoredAnswers } from '../support/device.ts'
import { holdRequest } from '../support/hold-request.ts'
import { createSession } from '../support/sign-in.ts'

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
    name: `queue ${++createdCount}`,
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
const shown = async (page: Page): Promise<string | undefined> => (await record(page).allInnerTexts())[0]
const answer = async (page: Page): Promise<string> => {
  const text = await record(page).innerText()
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect.poll(() => shown(page)).not.toBe(text)
  return text
}
/**
 * The pages take turns until all records are answered. A page without a record is skipped, because a faster page may have taken
 * the last records.
 */
const answerInTurn = async (pages: readonly Page[], records: number): Promise<readonly string[]> => {
  const texts: string[] = []
  while (texts.length < records)
    for (const page of pages) if (texts.length < records && (await shown(page)) !== undefined) texts.push(await answer(page))
  return texts
}
const waitForRelease = (page: Page) =>
  page.waitForResponse((response) => response.url().includes('/queue/leases') && response.request().method() === 'DELETE')
const answerCounts = async (id: string) => (await storedRecords(team.server, id)).map(({ responses }) => responses.length)

test('two annotators answer at the same time, and no record twice', async () => {
  const id = await seed(10)
  const [ann, bob] = [await openAsNewAnnotator(id), await openAsNewAnnotator(id)]
  await expectLeft(ann.page, 10)
  // Ann's leased records aren't counted as left for Bob.
  await expectLeft(bob.page, 4)
  const texts = await answerInTurn([ann.page, bob.page], 10)
  expect(new Set(texts).size).toBe(10)
  await expect.poll(() => answerCounts(id)).toEqual(Array(10).fill(1))
  await openAnnotation(bob.page, id)
  await bob.page.getByText(ui('features/annotate:end.completed')).waitFor()
  for (const one of [ann, bob]) {
    expect(one.complaints()).toEqual([])
    await one.close()
  }
})

detail('an annotator who arrives when others only hold the last records gets one, and none is answered twice', async () => {
  const id = await seed(6)
  const ann = await openAsNewAnnotator(id)
  await expectLeft(ann.page, 6)
  const bob = await openAsNewAnnotator(id)
  await expectLeft(bob.page, 4)
  const cyd = await openAsNewAnnotator(id)
  await expectLeft(cyd.page, 2)
  const team = [ann, bob, cyd]
  const pages = team.map(({ page }) => page)
  const texts: string[] = []
  for (const page of pages) texts.push(await answer(page))
  texts.push(...(await answerInTurn(pages, 3)))
  expect(new Set(texts).size).toBe(6)
  await expect.poll(() => answerCounts(id)).toEqual(Array(6).fill(1))
  for (const one of team) {
    expect(one.complaints()).toEqual([])
    await one.close()
  }
})

detail('skipped records, and those left by navigating or signing out, are available to others', async () => {
  const id = await seed(2)
  const ann = await openAsNewAnnotator(id)
  await expectLeft(ann.page, 2)
  const bob = await openAsNewAnnotator(id)
  await bob.page.getByText(ui('features/annotate:end.noPending')).waitFor()
  const skipped = await record(ann.page).innerText()
  const skippedRecord = waitForRelease(ann.page)
  await ann.page.getByRole('button', { name: uiPattern('features/annotate:pager.next') }).click()
  await skippedRecord
  await expect.poll(() => shown(ann.page)).not.toBe(skipped)
  await bob.page.getByRole('button', { name: ui('features/annotate:end.again') }).click()
  await expect.poll(() => shown(bob.page)).toBe(skipped)
  await expectLeft(bob.page, 1)

  const releases = waitForRelease(ann.page)
  await ann.page
    .getByRole('link', { name: ui('common:nav.home') })
    .first()
    .click()
  await releases
  await answer(bob.page)
  await expectLeft(bob.page, 1)
  // Waits until all answers are sent. If an answer were unsent, signing out would ask for confirmation.
  await expect.poll(async () => (await answerCounts(id)).filter((count) => count === 1).length).toBe(1)
  await expectStoredAnswers(bob.page, 0)

  const cyd = await openAsNewAnnotator(id)
  await cyd.page.getByText(ui('features/annotate:end.noPending')).waitFor()
  await bob.page.getByRole('button', { name: uiPattern('common:user.menu') }).click()
  const release = waitForRelease(bob.page)
  await bob.page.getByRole('menuitem', { name: ui('common:user.signOut') }).click()
  await release
  await bob.page.getByRole('button', { name: ui('features/auth:signIn') }).waitFor()
  await cyd.page.getByRole('button', { name: ui('features/annotate:end.again') }).click()
  await expectLeft(cyd.page, 1)
  for (const one of [ann, bob, cyd]) {
    expect(one.complaints()).toEqual([])
    await one.close()
  }
})

detail.each(
  variants(1, [
    ['the settings', async (page: Page) => page.getByRole('link', { name: ui('features/annotate:settings') }).click()],
    [
      'home',
      async (page: Page) =>
        page
          .getByRole('link', { name: ui('common:nav.home') })
          .first()
          .click(),
    ],
  ]),
)('an annotator who returns from %s is at the same record, and gets to the earlier ones at the end', async (_, leave) => {
  const ann = await openAsNewAnnotator(await seed(8))
  const before: string[] = []
  for (let i = 0; i < 4; i++) {
    const text = await record(ann.page).innerText()
    before.push(text)
    // Waits for the release of the skipped record. Otherwise, the test could mistake it for the release that is sent when the
    // page is left.
    const released = waitForRelease(ann.page)
    await ann.page.getByRole('button', { name: uiPattern('features/annotate:pager.next') }).click()
    await released
    await expect.poll(() => shown(ann.page)).not.toBe(text)
  }
  const at = await record(ann.page).innerText()
  const releases = waitForRelease(ann.page)
  await leave(ann.page)
  await releases
  await ann.page.goBack()
  await expectLeft(ann.page, 8)
  expect(await record(ann.page).innerText()).toBe(at)
  await ann.page.locator('#main').focus()
  const seen: string[] = []
  for (let i = 0; i < 8; i++) seen.push(await answer(ann.page))
  expect(seen[0]).toBe(at)
  expect(seen.slice(4)).toEqual(before)
  expect(ann.complaints()).toEqual([])
  await ann.close()
})

detail('an annotator who leaves while more records load is also at the same record on return', async () => {
  const { page, close } = await openAsNewAnnotator(await seed(8))
  for (let i = 0; i < 3; i++) {
    const text = await record(page).innerText()
    const more = page.waitForResponse((response) => response.url().endsWith('/queue'))
    await page.getByRole('button', { name: uiPattern('features/annotate:pager.next') }).click()
    await (await more).finished()
    await expect.poll(() => shown(page)).not.toBe(text)
  }
  const { sent, go } = await holdRequest(page, 'POST', (url) => url.endsWith('/queue'))
  await page.getByRole('button', { name: uiPattern('features/annotate:pager.next') }).click()
  await sent
  const at = await record(page).innerText()
  const left = waitForRelease(page)
  await page
    .getByRole('link', { name: ui('common:nav.home') })
    .first()
    .click()
  await left
  const late = page.waitForResponse((response) => response.url().endsWith('/queue'))
  go()
  await (await late).finished()
  await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
  await page.goBack()
  await expect.poll(() => shown(page)).toBe(at)
  await close()
})

detail('the position is restored after any number of returns, even if the page was left before the record loaded', async () => {
  const { page, close } = await openAsNewAnnotator(await seed(20))
  const goOn = async (): Promise<void> => {
    const text = await record(page).innerText()
    await page.getByRole('button', { name: uiPattern('features/annotate:pager.next') }).click()
    await expect.poll(() => shown(page)).not.toBe(text)
  }
  const goHome = async (): Promise<void> => {
    await page
      .getByRole('link', { name: ui('common:nav.home') })
      .first()
      .click()
    await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
  }
  await goOn()
  await goOn()
  for (let i = 0; i < 2; i++) {
    const at = await record(page).innerText()
    await goHome()
    await page.goBack()
    await expect.poll(() => shown(page)).toBe(at)
  }
  await goOn()
  const at = await record(page).innerText()
  await goHome()
  const first = await holdRequest(page, 'POST', (url) => url.endsWith('/queue'))
  await page.goBack()
  await first.sent
  await page.getByRole('button', { name: ui('features/annotate:action.submit') }).waitFor()
  await goHome()
  const late = page.waitForResponse((response) => response.url().endsWith('/queue'))
  first.go()
  await (await late).finished()
  await page.goBack()
  await expect.poll(() => shown(page)).toBe(at)
  await close()
})

detail('an annotator who leaves while leases are renewed is assigned nothing more', async () => {
  const { page, close } = await openAsNewAnnotator(await seed(12))
  const { sent, go } = await holdRequest(page, 'PUT', (url) => url.endsWith('/queue/leases'))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await sent
  const back = waitForRelease(page)
  await page
    .getByRole('link', { name: ui('common:nav.home') })
    .first()
    .click()
  await back
  const taken: string[] = []
  page.on('request', (request) => void (request.url().endsWith('/queue') && taken.push(request.url())))
  const renewed = page.waitForResponse(
    (response) => response.url().endsWith('/queue/leases') && response.request().method() === 'PUT',
  )
  go()
  await (await renewed).finished()
  await page.goto('/user-settings')
  expect(taken).toEqual([])
  await close()
})

test("records are assigned in the dataset's order and up to the limit per person", async () => {
  const id = await seed(8)
  await callAsOwner(team.server, 'PUT', `/datasets/${id}/queue-settings`, {
    order: [{ scope: { entity: 'record', property: 'inserted_at' }, order: 'desc' }],
    max_per_person: 3,
  })
  const inOrder = (await storedRecords(team.server, id)).map(({ fields }) => String(fields['text'])).toReversed()
  const ann = await openAsNewAnnotator(id)
  await expectLeft(ann.page, 3)
  expect([await answer(ann.page), await answer(ann.page), await answer(ann.page)]).toEqual(inOrder.slice(0, 3))
  await ann.page.getByText(ui('features/annotate:end.capped', { count: 3 })).waitFor()
  expect(ann.complaints()).toEqual([])
  await ann.close()
})

detail('an annotator without assigned records sees the reason', async () => {
  const id = await seed(2)
  await callAsOwner(team.server, 'POST', `/datasets/${id}/metadata-properties`, {
    name: 'person',
    title: 'Person',
    settings: { type: 'terms', values: null },
  })
  await callAsOwner(team.server, 'PUT', `/datasets/${id}/queue-settings`, { assigned_by: 'person' })
  const ann = await openAsNewAnnotator(id)
  await ann.page.getByText(ui('features/annotate:end.assignedHint')).waitFor()
  expect(ann.complaints()).toEqual([])
  await ann.close()
})

detail('answers beyond the overlap are kept, and shown as such', async () => {
  const id = await seed(2)
  const [first] = await storedRecords(team.server, id)
  const ann = await openAsNewAnnotator(id)
  const more = ann.page.getByText(uiPattern('features/annotate:progress.surplus', {}, { whole: false })).first()
  const submit = (apiKey: string) =>
    callAsOwner({ ...team.server, apiKey }, 'POST', `/records/${first?.id}/responses`, {
      status: 'submitted',
      values: { label: { value: 'yes' } },
    })
  await submit(team.server.apiKey)
  await openAnnotation(ann.page, id)
  const share = teamProgressText(1, 2)
  await ann.page.getByText(share).first().waitFor()
  expect(await more.count()).toBe(0)
  const late = await seedUser(team.server, `annotator${++createdCount}`, 'annotator', [team.workspaceId])
  await submit((await callAsOwner<{ api_key: string }>(team.server, 'GET', `/users/${late}`)).api_key)
  await openAnnotation(ann.page, id)
  await more.waitFor()
  expect(await more.textContent()).toBe(`${share} · ${ui('features/annotate:progress.surplus', { count: 1 })}`)
  expect(ann.complaints()).toEqual([])
  await ann.close()
})
