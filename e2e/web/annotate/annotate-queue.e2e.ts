import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { givenAnnotation, left, openAnnotation, RECORD, stored } from '../ground/annotation.ts'
import { asOwner, givenUser, PASSWORD } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { onDisk } from '../support/device.ts'
import { hold } from '../support/hold.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()

let made = 0
const LABEL = {
  label: {
    title: 'Label',
    required: true,
    settings: { type: 'label_selection', options: ['Yes', 'No'].map((text) => ({ value: text.toLowerCase(), text })) },
  },
}
const given = (records: number) =>
  givenAnnotation(team.server, {
    name: `queue ${++made}`,
    workspaceId: team.workspaceId,
    questions: LABEL,
    records: Array.from({ length: records }, (_, index) => ({ fields: { text: `Record ${index + 1}.` } })),
  })
const join = async (id: string) => {
  const username = `annotator${++made}`
  await givenUser(team.server, username, 'annotator', [team.workspaceId])
  const opened = await openPage(team.browser, team.server.url)
  await haveSession(opened.page, team.server.url, username, PASSWORD)
  await openAnnotation(opened.page, id)
  return opened
}
const record = (page: Page) => page.locator(RECORD).getByText(/^Record \d+\.$/)
/** At this moment: none at the end of the list. */
const shown = async (page: Page): Promise<string | undefined> => (await record(page).allInnerTexts())[0]
const answer = async (page: Page): Promise<string> => {
  const text = await record(page).innerText()
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect.poll(() => shown(page)).not.toBe(text)
  return text
}
/** In turn, as long as so many are not answered: by whoever has one at that moment. Who was quicker may have had more of the last ones. */
const answerInTurn = async (pages: readonly Page[], records: number): Promise<readonly string[]> => {
  const texts: string[] = []
  while (texts.length < records)
    for (const page of pages) if (texts.length < records && (await shown(page)) !== undefined) texts.push(await answer(page))
  return texts
}
const givesBack = (page: Page) =>
  page.waitForResponse((response) => response.url().includes('/queue/leases') && response.request().method() === 'DELETE')
const answered = async (id: string) => (await stored(team.server, id)).map(({ responses }) => responses.length)

test('two annotators answer at the same time, and no record twice', async () => {
  const id = await given(10)
  const [ann, bob] = [await join(id), await join(id)]
  await left(ann.page, 10)
  // What Ann has in hand is not among what is left for Bob.
  await left(bob.page, 4)
  const texts = await answerInTurn([ann.page, bob.page], 10)
  expect(new Set(texts).size).toBe(10)
  await expect.poll(() => answered(id)).toEqual(Array(10).fill(1))
  await openAnnotation(bob.page, id)
  await bob.page.getByText(ui('features/annotate:end.completed')).waitFor()
  for (const one of [ann, bob]) {
    expect(one.complaints()).toEqual([])
    await one.close()
  }
})

test('who comes when others only hold the last records gets one of them, and none is answered twice', async () => {
  const id = await given(6)
  const ann = await join(id)
  await left(ann.page, 6)
  const bob = await join(id)
  await left(bob.page, 4)
  const cyd = await join(id)
  await left(cyd.page, 2)
  const team = [ann, bob, cyd]
  const pages = team.map(({ page }) => page)
  const texts: string[] = []
  for (const page of pages) texts.push(await answer(page))
  texts.push(...(await answerInTurn(pages, 3)))
  expect(new Set(texts).size).toBe(6)
  await expect.poll(() => answered(id)).toEqual(Array(6).fill(1))
  for (const one of team) {
    expect(one.complaints()).toEqual([])
    await one.close()
  }
})

test('what is passed over, or left by going elsewhere or signing out, is there for others', async () => {
  const id = await given(2)
  const ann = await join(id)
  await left(ann.page, 2)
  const bob = await join(id)
  await bob.page.getByText(ui('features/annotate:end.noPending')).waitFor()
  const passed = await record(ann.page).innerText()
  const passedOver = givesBack(ann.page)
  await ann.page.getByRole('button', { name: uiPattern('features/annotate:pager.next') }).click()
  await passedOver
  await expect.poll(() => shown(ann.page)).not.toBe(passed)
  await bob.page.getByRole('button', { name: ui('features/annotate:end.again') }).click()
  await expect.poll(() => shown(bob.page)).toBe(passed)
  await left(bob.page, 1)

  const givenBack = givesBack(ann.page)
  await ann.page
    .getByRole('link', { name: ui('common:nav.home') })
    .first()
    .click()
  await givenBack
  await answer(bob.page)
  await left(bob.page, 1)
  // Who signs out is asked about what is not sent.
  await expect.poll(async () => (await answered(id)).filter((count) => count === 1).length).toBe(1)
  await onDisk(bob.page, 0)

  const cyd = await join(id)
  await cyd.page.getByText(ui('features/annotate:end.noPending')).waitFor()
  await bob.page.getByRole('button', { name: uiPattern('common:user.menu') }).click()
  const lettingGo = givesBack(bob.page)
  await bob.page.getByRole('menuitem', { name: ui('common:user.signOut') }).click()
  await lettingGo
  await bob.page.getByRole('button', { name: ui('features/auth:signIn') }).waitFor()
  await cyd.page.getByRole('button', { name: ui('features/annotate:end.again') }).click()
  await left(cyd.page, 1)
  for (const one of [ann, bob, cyd]) {
    expect(one.complaints()).toEqual([])
    await one.close()
  }
})

test.each([
  ['the settings', async (page: Page) => page.getByRole('link', { name: ui('features/annotate:settings') }).click()],
  [
    'home',
    async (page: Page) =>
      page
        .getByRole('link', { name: ui('common:nav.home') })
        .first()
        .click(),
  ],
])('who comes back from %s is at the record that was left, and comes to those before it in the end', async (_, leave) => {
  const id = await given(8)
  const ann = await openPage(team.browser, team.server.url)
  await haveSession(ann.page, team.server.url)
  await openAnnotation(ann.page, id)
  const before: string[] = []
  for (let i = 0; i < 4; i++) {
    const text = await record(ann.page).innerText()
    before.push(text)
    await ann.page.getByRole('button', { name: uiPattern('features/annotate:pager.next') }).click()
    await expect.poll(() => shown(ann.page)).not.toBe(text)
  }
  const at = await record(ann.page).innerText()
  const givenBack = givesBack(ann.page)
  await leave(ann.page)
  await givenBack
  await ann.page.goBack()
  await left(ann.page, 8)
  expect(await record(ann.page).innerText()).toBe(at)
  await ann.page.locator('#main').focus()
  const seen: string[] = []
  for (let i = 0; i < 8; i++) seen.push(await answer(ann.page))
  expect(seen[0]).toBe(at)
  expect(seen.slice(4)).toEqual(before)
  expect(ann.complaints()).toEqual([])
  await ann.close()
})

test('who leaves while more records are on their way is at the same record again too', async () => {
  const { page, close } = await join(await given(8))
  for (let i = 0; i < 3; i++) {
    const text = await record(page).innerText()
    const more = page.waitForResponse((response) => response.url().endsWith('/queue'))
    await page.getByRole('button', { name: uiPattern('features/annotate:pager.next') }).click()
    await (await more).finished()
    await expect.poll(() => shown(page)).not.toBe(text)
  }
  const { sent, go } = await hold(page, 'POST', (url) => url.endsWith('/queue'))
  await page.getByRole('button', { name: uiPattern('features/annotate:pager.next') }).click()
  await sent
  const at = await record(page).innerText()
  const left = givesBack(page)
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

test('the place is found again however often one comes back, also where one left before its record had come', async () => {
  const { page, close } = await join(await given(20))
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
  const first = await hold(page, 'POST', (url) => url.endsWith('/queue'))
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

test('who leaves while what they have in hand is renewed takes nothing more', async () => {
  const { page, close } = await join(await given(12))
  const { sent, go } = await hold(page, 'PUT', (url) => url.endsWith('/queue/leases'))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await sent
  const back = givesBack(page)
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

test('records come in the order of the dataset, and no more than one person may have', async () => {
  const id = await given(8)
  await asOwner(team.server, 'PUT', `/datasets/${id}/queue-settings`, {
    order: [{ scope: { entity: 'record', property: 'inserted_at' }, order: 'desc' }],
    max_per_person: 3,
  })
  const inOrder = (await stored(team.server, id)).map(({ fields }) => String(fields['text'])).toReversed()
  const ann = await join(id)
  await left(ann.page, 3)
  expect([await answer(ann.page), await answer(ann.page), await answer(ann.page)]).toEqual(inOrder.slice(0, 3))
  await ann.page.getByText(ui('features/annotate:end.capped', { count: 3 })).waitFor()
  expect(ann.complaints()).toEqual([])
  await ann.close()
})

test('who has no record assigned is told why there is nothing', async () => {
  const id = await given(2)
  await asOwner(team.server, 'POST', `/datasets/${id}/metadata-properties`, {
    name: 'person',
    title: 'Person',
    settings: { type: 'terms', values: null },
  })
  await asOwner(team.server, 'PUT', `/datasets/${id}/queue-settings`, { assigned_by: 'person' })
  const ann = await join(id)
  await ann.page.getByText(ui('features/annotate:end.assignedHint')).waitFor()
  expect(ann.complaints()).toEqual([])
  await ann.close()
})

test('answers beyond what a record needs are kept, and shown as such', async () => {
  const id = await given(2)
  const [first] = await stored(team.server, id)
  const ann = await join(id)
  const more = ann.page.getByText(uiPattern('features/annotate:progress.surplus', {}, { whole: false })).first()
  const submit = (apiKey: string) =>
    asOwner({ ...team.server, apiKey }, 'POST', `/records/${first?.id}/responses`, {
      status: 'submitted',
      values: { label: { value: 'yes' } },
    })
  await submit(team.server.apiKey)
  await openAnnotation(ann.page, id)
  const share = ui('features/annotate:progress.share', { share: '50.00%', completed: 1, total: 2 })
  await ann.page.getByText(share).first().waitFor()
  expect(await more.count()).toBe(0)
  const late = await givenUser(team.server, `annotator${++made}`, 'annotator', [team.workspaceId])
  await submit((await asOwner<{ api_key: string }>(team.server, 'GET', `/users/${late}`)).api_key)
  await openAnnotation(ann.page, id)
  await more.waitFor()
  expect(await more.textContent()).toBe(`${share} · ${ui('features/annotate:progress.surplus', { count: 1 })}`)
  expect(ann.complaints()).toEqual([])
  await ann.close()
})
