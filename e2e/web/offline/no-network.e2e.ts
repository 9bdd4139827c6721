import { detail } from '@postil/testkit/detail.ts'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { expectLeft, LABEL_AND_NOTE, openAnnotation, seedAnnotationDataset, storedAnswers } from '../fixtures/annotation.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { preventReload } from '../support/prevent-reload.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()

let datasets = 0
const seed = () =>
  seedAnnotationDataset(team.server, {
    name: `no network ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    records: Array.from({ length: 5 }, (_, index) => ({ fields: { text: `Record ${index + 1}` } })),
  })

const open = async (id: string) => {
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url)
  await openAnnotation(opened.page, id)
  return opened
}

/** Waits for a part that loads once the network is back. */
const waitForPart = (page: Page, part: Locator): Promise<void> =>
  // Dispatches the event repeatedly, because the page doesn't listen for it until a load has failed.
  expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('online')))
      return part.count()
    })
    .toBe(1)

detail('closing a tab asks for confirmation exactly while the device has not stored an answer', async () => {
  const id = await seed()
  const { page, context, close } = await open(id)
  await page.getByRole('button', { name: uiPattern('common:user.menu') }).waitFor()
  await context.setOffline(true)
  // Keeps a transaction open, so that storing the answer takes as long as on a slow disk.
  await page.evaluate(
    () =>
      new Promise((held) => {
        const opening = indexedDB.open('postil')
        opening.onsuccess = () => {
          const store = opening.result.transaction('outbox', 'readwrite').objectStore('outbox')
          const goOn = (): void => {
            if (document.documentElement.dataset['free'] === undefined) store.count().onsuccess = goOn
            else opening.result.close()
            held(null)
          }
          goOn()
        }
      }),
  )
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expectLeft(page, 4)
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  // After this dialog, the headless browser renders no more frames. Locators that wait need frames, so the text is read directly.
  const headerText = async () => (await page.locator('header').allTextContents()).join()
  expect(await headerText()).not.toMatch(uiPattern('common:unsent.state', {}, { whole: false }))
  await page.evaluate(() => {
    document.documentElement.dataset['free'] = ''
  })
  await expect.poll(headerText).toContain(ui('common:unsent.state', { count: 1 }))
  await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })])
  const next = await context.newPage()
  await context.setOffline(false)
  await openAnnotation(next, id)
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(1)
  await close()
})

test('an action without a network fails immediately, and is not done when the network is back', async () => {
  const id = await seed()
  const { page, context, close } = await open(id)
  await page.goto(`/dataset/${id}/annotation-mode?search=Record~all`)
  await expectLeft(page, 5)
  await page.getByRole('button', { name: ui('features/annotate:views'), exact: true }).click()
  const opened = page.getByRole('dialog', { name: ui('features/annotate:views') })
  await opened.getByRole('button', { name: ui('features/saved-views:saveShown') }).click()
  await opened.getByRole('textbox', { name: ui('features/saved-views:name') }).fill('Later')
  await context.setOffline(true)
  await opened.getByRole('textbox', { name: ui('features/saved-views:name') }).press('Enter')
  await opened.getByText(ui('common:validations.http.unreachable.message')).waitFor()
  await context.setOffline(false)
  await page.reload()
  await expectLeft(page, 5)
  await page.getByRole('button', { name: ui('features/annotate:views'), exact: true }).click()
  await opened.getByRole('button', { name: ui('features/saved-views:saveShown') }).waitFor()
  expect(await opened.getByRole('link').count()).toBe(0)
  await close()
})

detail('parts whose code fails to load appear later, and the screen stays the same', async () => {
  const id = await seed()
  const { page, context, complaints, close } = await open(id)
  await preventReload(page)
  // The user menu loads after the records. Here, it fails to load.
  const late = /\/(UserMenu|JobsButton)-[^/]+\.js$/
  await context.route(late, (route) => route.abort())
  await page.reload()
  await expectLeft(page, 5)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expectLeft(page, 4)
  expect(await page.getByRole('button', { name: uiPattern('common:user.menu') }).count()).toBe(0)
  // A failure is shown if the user requested the part.
  await context.setOffline(true)
  await page.keyboard.press('?')
  await page.getByText(ui('common:validations.http.unreachable.message')).first().waitFor()
  await page.keyboard.press('2')
  await page.keyboard.press('Enter')
  await expectLeft(page, 3)
  await context.unroute(late)
  await context.setOffline(false)
  await waitForPart(page, page.getByRole('dialog'))
  await page.keyboard.press('Escape')
  await waitForPart(page, page.getByRole('button', { name: uiPattern('common:user.menu') }))
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(2)
  expect(complaints().filter((complaint) => !/fetch|ERR_/.test(complaint))).toEqual([])
  await close()
})

detail('a part whose styles fail to load is shown once they are loaded, never unstyled', async () => {
  const id = await seed()
  const { page, context, complaints, close } = await open(id)
  await preventReload(page)
  const styles = /\/(UserMenu|Avatar)-[^/]+\.css$/
  const refused: string[] = []
  await context.route(styles, (route) => {
    refused.push(route.request().url())
    return route.abort()
  })
  await page.reload()
  await expectLeft(page, 5)
  await expect.poll(() => refused.length).toBeGreaterThan(0)
  expect(await page.getByRole('button', { name: uiPattern('common:user.menu') }).count()).toBe(0)
  await context.unroute(styles)
  const button = page.getByRole('button', { name: uiPattern('common:user.menu') })
  await waitForPart(page, button)
  expect((await button.boundingBox())?.width).toBeGreaterThan(30)
  expect(complaints().filter((complaint) => !/fetch|ERR_/.test(complaint))).toEqual([])
  await close()
})
