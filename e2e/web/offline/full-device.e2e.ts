import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, speak } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { answers, givenAnnotation, left, openAnnotation, question } from '../ground/annotation.ts'
import { setUpTeam } from '../ground/team.ts'
import { onDisk } from '../support/device.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()
const KEPT = ui('features/annotate:save.edited')
const NOT_LASTING = ui('features/annotate:save.notLasting')

let datasets = 0
const open = async () => {
  const options = ['Yes', 'No'].map((text) => ({ value: text.toLowerCase(), text }))
  const id = await givenAnnotation(team.server, {
    name: `full ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: {
      label: { title: 'Label', required: true, settings: { type: 'label_selection', options } },
      note: { title: 'Note', required: false, settings: { type: 'text', use_markdown: false } },
    },
    records: Array.from({ length: 3 }, (_, index) => ({ fields: { text: `Record ${index + 1}` } })),
  })
  const opened = await openPage(team.browser, team.server.url)
  await haveSession(opened.page, team.server.url)
  await openAnnotation(opened.page, id)
  return { id, ...opened, note: question(opened.page, 'note').locator('textarea') }
}

type Refusal = 'throws' | 'aborts'
type Refusing = typeof globalThis & { refusal?: Refusal | undefined; isRefusing?: boolean }

/** Has the browser refuse what is written from now on, as it does where there is no room, or take it again. */
const refuse = (page: Page, refusal?: Refusal): Promise<void> =>
  page.evaluate((wanted) => {
    const here = globalThis as Refusing
    here.refusal = wanted
    if (here.isRefusing) return
    here.isRefusing = true
    const { put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = function (...[value, key]: Parameters<typeof put>) {
      if (here.refusal === 'throws') throw new DOMException('There is no room', 'QuotaExceededError')
      const request = put.call(this, value, key)
      if (here.refusal === 'aborts') this.transaction.abort()
      return request
    }
  }, refusal)

/** Whether the page has the browser ask before the tab is closed. */
const asks = (page: Page): Promise<boolean> =>
  page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
const line = (page: Page, words: string) => page.locator('form').getByText(words, { exact: true }).waitFor()

test.each(['throws', 'aborts'] as const)(
  'edits that a full device does not take are said to be in the tab: it %s',
  async (how) => {
    const { page, note, complaints, close } = await open()
    await note.fill('kept')
    await line(page, KEPT)
    expect(await asks(page)).toBe(false)
    await refuse(page, how)
    await note.pressSequentially(' and more')
    await line(page, NOT_LASTING)
    expect([await asks(page), await page.getByText(KEPT).count()]).toEqual([true, 0])
    await speak(page, 'de')
    await line(page, 'Nur in diesem Tab: dieser Browser speichert nichts')
    await speak(page, 'es')
    await line(page, 'Solo en esta pestaña: este navegador no guarda nada')
    await speak(page, 'en')
    // Whoever stays after the browser has asked finds everything as it was.
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    expect(await note.inputValue()).toBe('kept and more')
    // Once there is room again they are written, without another edit.
    await refuse(page)
    await line(page, KEPT)
    expect(await asks(page)).toBe(false)
    await page.reload()
    await expect.poll(() => note.inputValue()).toBe('kept and more')
    expect(complaints()).toEqual([])
    await close()
  },
)

test('the next edit takes along what was not written before, also of another record', async () => {
  const { page, note, close } = await open()
  await refuse(page, 'throws')
  await note.fill('first')
  await line(page, NOT_LASTING)
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => note.inputValue()).toBe('')
  await refuse(page)
  await note.fill('second')
  await line(page, KEPT)
  await expect.poll(() => asks(page)).toBe(false)
  await page.reload()
  await expect.poll(() => note.inputValue()).toBe('first')
  await close()
})

test('an answer that neither the server nor the device has is said to be in the tab, until one of them has it', async () => {
  const { id, page, context, complaints, close } = await open()
  await context.setOffline(true)
  await refuse(page, 'aborts')
  await page.keyboard.press('1')
  await page.keyboard.press(ui('features/guides:keys.key.enter'))
  await left(page, '2 left')
  await line(page, `Submitted · ${NOT_LASTING}`)
  expect([await asks(page), await page.getByText(ui('features/annotate:save.short.kept')).count()]).toEqual([true, 0])
  await page.keyboard.press('ArrowLeft')
  await line(page, NOT_LASTING)
  await refuse(page)
  await line(page, 'Submitted, kept on this device')
  await line(page, ui('features/annotate:save.kept'))
  expect(await asks(page)).toBe(false)
  await onDisk(page, 1)
  await context.setOffline(false)
  await expect
    .poll(async () => [...(await answers(team.server, id)).values()].map(({ values }) => values['label']))
    .toEqual(['yes'])
  await line(page, ui('features/annotate:title.submitted'))
  expect(complaints()).toEqual([])
  await close()
})

test('an answer that a full device does not take reaches the server', async () => {
  const { id, page, close } = await open()
  await refuse(page, 'throws')
  await page.keyboard.press('2')
  await page.keyboard.press(ui('features/guides:keys.key.enter'))
  await expect
    .poll(async () => [...(await answers(team.server, id)).values()].map(({ values }) => values['label']))
    .toEqual(['no'])
  await line(page, ui('features/annotate:title.submitted'))
  // The server has it a moment before the page knows.
  await expect.poll(() => asks(page)).toBe(false)
  await close()
})

/** Has nobody's storage open in this browser, which waits for a page that wants to remove it. @returns what lets it */
const holdStorage = async (page: Page): Promise<() => Promise<void>> => {
  const holder = await page.context().newPage()
  await holder.goto('/api/v1/version')
  await holder.evaluate(
    () =>
      new Promise<void>((blocked) => {
        const opening = indexedDB.open('postil')
        opening.onsuccess = () => {
          indexedDB.deleteDatabase('postil').onblocked = () => blocked()
        }
      }),
  )
  return () => holder.close()
}

test('answers are sent from the tab where the storage does not open, and edits are written once it does', async () => {
  const { id, page, note, complaints, close } = await open()
  const letGo = await holdStorage(page)
  await openAnnotation(page, id)
  await page.keyboard.press('1')
  await page.keyboard.press(ui('features/guides:keys.key.enter'))
  await expect
    .poll(async () => [...(await answers(team.server, id)).values()].map(({ values }) => values['label']))
    .toEqual(['yes'])
  await line(page, ui('features/annotate:title.submitted'))
  await note.fill('kept')
  await line(page, NOT_LASTING)
  expect(await asks(page)).toBe(true)
  await letGo()
  await line(page, KEPT)
  expect(await asks(page)).toBe(false)
  await page.reload()
  await expect.poll(() => note.inputValue()).toBe('kept')
  expect(complaints()).toEqual([])
  await close()
})
