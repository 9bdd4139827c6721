import { detail } from '@postil/testkit/detail.ts'
import { variants } from '@postil/testkit/run-size.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, switchLanguage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import {
  expectLeft,
  openAnnotation,
  previousAnswerText,
  question,
  seedAnnotationDataset,
  storedAnswers,
} from '../fixtures/annotation.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { expectStoredAnswers } from '../support/device.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()
const SAVED_ON_DEVICE_TEXT = ui('features/annotate:save.edited')
const NOT_SAVED_TEXT = ui('features/annotate:save.notLasting')

let datasets = 0
const open = async () => {
  const options = ['Yes', 'No'].map((text) => ({ value: text.toLowerCase(), text }))
  const id = await seedAnnotationDataset(team.server, {
    name: `full ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: {
      label: { title: 'Label', required: true, settings: { type: 'label_selection', options } },
      note: { title: 'Note', required: false, settings: { type: 'text', use_markdown: false } },
    },
    records: Array.from({ length: 3 }, (_, index) => ({ fields: { text: `Record ${index + 1}` } })),
  })
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url)
  await openAnnotation(opened.page, id)
  return { id, ...opened, note: question(opened.page, 'note').locator('textarea') }
}

type RefusalOptions = 'throws' | 'aborts'
type StorageRefusal = typeof globalThis & { refusal?: RefusalOptions | undefined; isRefusing?: boolean }

/** Makes the browser reject writes from now on, as when its storage is full. If `refusal` is omitted, writes succeed again. */
const refuseWrites = (page: Page, refusal?: RefusalOptions): Promise<void> =>
  page.evaluate((wanted) => {
    const here = globalThis as StorageRefusal
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

/** Whether the browser would ask before the tab is closed. */
const asks = (page: Page): Promise<boolean> =>
  page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
const line = (page: Page, words: string) => page.locator('form').getByText(words, { exact: true }).waitFor()

detail.each(variants(1, ['throws', 'aborts'] as const))(
  'edits that a full device can’t store are shown as kept in the tab only: the write %s',
  async (how) => {
    const { page, note, complaints, close } = await open()
    await note.fill('kept')
    await line(page, SAVED_ON_DEVICE_TEXT)
    expect(await asks(page)).toBe(false)
    await refuseWrites(page, how)
    await note.pressSequentially(' and more')
    await line(page, NOT_SAVED_TEXT)
    expect([await asks(page), await page.getByText(SAVED_ON_DEVICE_TEXT).count()]).toEqual([true, 0])
    await switchLanguage(page, 'de')
    await line(page, ui('features/annotate:save.notLasting', {}, 'de'))
    await switchLanguage(page, 'es')
    await line(page, ui('features/annotate:save.notLasting', {}, 'es'))
    await switchLanguage(page, 'en')
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    expect(await note.inputValue()).toBe('kept and more')
    // Once there is space again, the edits are stored even if the user doesn't edit again.
    await refuseWrites(page)
    await line(page, SAVED_ON_DEVICE_TEXT)
    expect(await asks(page)).toBe(false)
    await page.reload()
    await expect.poll(() => note.inputValue()).toBe('kept and more')
    expect(complaints()).toEqual([])
    await close()
  },
)

detail('the next edit also writes the earlier unsaved one, even for another record', async () => {
  const { page, note, close } = await open()
  await refuseWrites(page, 'throws')
  await note.fill('first')
  await line(page, NOT_SAVED_TEXT)
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => note.inputValue()).toBe('')
  await refuseWrites(page)
  await note.fill('second')
  await line(page, SAVED_ON_DEVICE_TEXT)
  await expect.poll(() => asks(page)).toBe(false)
  await page.reload()
  await expect.poll(() => note.inputValue()).toBe('second')
  await page.goBack()
  await expect.poll(() => note.inputValue()).toBe('first')
  await close()
})

test('an answer that neither server nor device has is shown as kept in the tab until one of them has it', async () => {
  const { id, page, context, complaints, close } = await open()
  await context.setOffline(true)
  await refuseWrites(page, 'aborts')
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expectLeft(page, 2)
  await line(page, `${ui('features/annotate:done.submitted')} · ${NOT_SAVED_TEXT}`)
  const saved = [page.getByText(ui('features/annotate:save.short.kept')), page.getByText(ui('features/annotate:save.kept'))]
  expect([await asks(page), ...(await Promise.all(saved.map((text) => text.count())))]).toEqual([true, 0, 0])
  await page.keyboard.press('ArrowLeft')
  await line(page, NOT_SAVED_TEXT)
  await refuseWrites(page)
  await line(page, previousAnswerText('submitted', 'kept'))
  await line(page, ui('features/annotate:save.kept'))
  expect(await asks(page)).toBe(false)
  await expectStoredAnswers(page, 1)
  await context.setOffline(false)
  await expect
    .poll(async () => [...(await storedAnswers(team.server, id)).values()].map(({ values }) => values['label']))
    .toEqual(['yes'])
  await line(page, ui('features/annotate:done.submitted'))
  expect(complaints()).toEqual([])
  await close()
})

detail('an answer that a full device can’t store reaches the server', async () => {
  const { id, page, close } = await open()
  await refuseWrites(page, 'throws')
  await page.keyboard.press('2')
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => [...(await storedAnswers(team.server, id)).values()].map(({ values }) => values['label']))
    .toEqual(['no'])
  await line(page, ui('features/annotate:done.submitted'))
  // The server has the answer a moment before the page knows about it.
  await expect.poll(() => asks(page)).toBe(false)
  await close()
})

/**
 * Starts to delete the browser's database while another page has it open. Until that page is closed, the database can't be
 * opened.
 * @returns a function that closes that page
 */
const blockStorage = async (page: Page): Promise<() => Promise<void>> => {
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

test('answers are sent from the tab if the storage fails to open, and edits are written once it opens', async () => {
  const { id, page, note, complaints, close } = await open()
  const unblock = await blockStorage(page)
  await openAnnotation(page, id)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => [...(await storedAnswers(team.server, id)).values()].map(({ values }) => values['label']))
    .toEqual(['yes'])
  await line(page, ui('features/annotate:done.submitted'))
  await note.fill('kept')
  await line(page, NOT_SAVED_TEXT)
  expect(await asks(page)).toBe(true)
  await unblock()
  await line(page, SAVED_ON_DEVICE_TEXT)
  expect(await asks(page)).toBe(false)
  await page.reload()
  await expect.poll(() => note.inputValue()).toBe('kept')
  expect(complaints()).toEqual([])
  await close()
})
