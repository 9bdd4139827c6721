import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { answers, givenAnnotation, LABEL_AND_NOTE, left, openAnnotation } from '../ground/annotation.ts'
import { setUpTeam } from '../ground/team.ts'
import { loadedAgainAlready } from '../support/loaded-again.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()

let datasets = 0
const given = () =>
  givenAnnotation(team.server, {
    name: `no network ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    records: Array.from({ length: 5 }, (_, index) => ({ fields: { text: `Record ${index + 1}` } })),
  })

const open = async (id: string) => {
  const opened = await openPage(team.browser, team.server.url)
  await haveSession(opened.page, team.server.url)
  await openAnnotation(opened.page, id)
  return opened
}

/** A part that has not come yet comes with the network. */
const comes = (page: Page, part: Locator): Promise<void> =>
  // NOTE: again and again, because the page listens for it only after a failure
  expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('online')))
      return part.count()
    })
    .toBe(1)

test('a tab that is closed before the device has written an answer asks first, and no sooner or later', async () => {
  const id = await given()
  const { page, context, close } = await open(id)
  await page.getByRole('button', { name: 'settings and sign-out' }).waitFor()
  await context.setOffline(true)
  // A transaction of another one that goes on: the answer has to wait for it, as for a disk that is slow.
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
  await page.keyboard.press(ui('features/guides:keys.key.enter'))
  await left(page, '4 left')
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  // NOTE: after such a question the headless browser draws no frames, for which waiting locators wait.
  const said = async () => (await page.locator('header').allTextContents()).join()
  expect(await said()).not.toContain('not sent yet')
  await page.evaluate(() => {
    document.documentElement.dataset['free'] = ''
  })
  await expect.poll(said).toContain(ui('common:unsent.state', { count: 1 }))
  await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })])
  const next = await context.newPage()
  await context.setOffline(false)
  await openAnnotation(next, id)
  await expect.poll(async () => (await answers(team.server, id)).size).toBe(1)
  await close()
})

test('what is asked for without a network is refused at once, and not done when it is back', async () => {
  const id = await given()
  const { page, context, close } = await open(id)
  await page.goto(`/dataset/${id}/annotation-mode?search=Record~all`)
  await left(page, '5 left')
  await page.getByRole('button', { name: ui('features/annotate:views'), exact: true }).click()
  const opened = page.getByRole('dialog', { name: ui('features/annotate:views') })
  await opened.getByRole('button', { name: ui('features/saved-views:saveShown') }).click()
  await opened.getByRole('textbox', { name: ui('features/administration:workspaces.name') }).fill('Later')
  await context.setOffline(true)
  await opened
    .getByRole('textbox', { name: ui('features/administration:workspaces.name') })
    .press(ui('features/guides:keys.key.enter'))
  await opened.getByText(ui('common:validations.http.unreachable.message')).waitFor()
  await context.setOffline(false)
  await page.reload()
  await left(page, '5 left')
  await page.getByRole('button', { name: ui('features/annotate:views'), exact: true }).click()
  await opened.getByRole('button', { name: ui('features/saved-views:saveShown') }).waitFor()
  expect(await opened.getByRole('link').count()).toBe(0)
  await close()
})

test('parts whose code does not come are late, and the screen stays as it is', async () => {
  const id = await given()
  const { page, context, complaints, close } = await open(id)
  await loadedAgainAlready(page)
  // The menu of the user comes after the records: here it has not come yet.
  const late = /\/(UserMenu|JobsButton)-[^/]+\.js$/
  await context.route(late, (route) => route.abort())
  await page.reload()
  await left(page, '5 left')
  await page.keyboard.press('1')
  await page.keyboard.press(ui('features/guides:keys.key.enter'))
  await left(page, '4 left')
  expect(await page.getByRole('button', { name: 'settings and sign-out' }).count()).toBe(0)
  // What somebody asks for is told.
  await context.setOffline(true)
  await page.keyboard.press('?')
  await page.getByText(ui('common:validations.http.unreachable.message')).first().waitFor()
  await page.keyboard.press('2')
  await page.keyboard.press(ui('features/guides:keys.key.enter'))
  await left(page, '3 left')
  await context.unroute(late)
  await context.setOffline(false)
  await comes(page, page.getByRole('dialog'))
  await page.keyboard.press('Escape')
  await comes(page, page.getByRole('button', { name: 'settings and sign-out' }))
  await expect.poll(async () => (await answers(team.server, id)).size).toBe(2)
  expect(complaints().filter((complaint) => !/fetch|ERR_/.test(complaint))).toEqual([])
  await close()
})

test('a part whose styles do not come is shown once they are there, never bare', async () => {
  const id = await given()
  const { page, context, complaints, close } = await open(id)
  await loadedAgainAlready(page)
  const styles = /\/(UserMenu|Avatar)-[^/]+\.css$/
  const refused: string[] = []
  await context.route(styles, (route) => {
    refused.push(route.request().url())
    return route.abort()
  })
  await page.reload()
  await left(page, '5 left')
  await expect.poll(() => refused.length).toBeGreaterThan(0)
  expect(await page.getByRole('button', { name: 'settings and sign-out' }).count()).toBe(0)
  await context.unroute(styles)
  const button = page.getByRole('button', { name: 'settings and sign-out' })
  await comes(page, button)
  expect((await button.boundingBox())?.width).toBeGreaterThan(30)
  expect(complaints().filter((complaint) => !/fetch|ERR_/.test(complaint))).toEqual([])
  await close()
})
