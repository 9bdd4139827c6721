import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ui } from '../../harness/ui-text.ts'
import { openAnnotation, question, recordText } from '../ground/annotation.ts'
import { answering } from '../ground/answering.ts'
import { setUpTeam } from '../ground/team.ts'

const { givenRecords, open } = answering(setUpTeam())

const records = ['One.', 'Two.'].map((text) => ({ fields: { text } }))
const given = () =>
  givenRecords(records, {
    questions: {
      tone: {
        title: 'Tone',
        required: true,
        settings: { type: 'label_selection', options: ['Good', 'Bad'].map((text) => ({ value: text.toLowerCase(), text })) },
      },
      note: { title: 'Note', required: false, settings: { type: 'text', use_markdown: false } },
    },
  })

/** Presses a button by keyboard that goes by that. */
const pressAway = async (page: Page, name: string): Promise<void> => {
  const button = page.getByRole('main').getByRole('button', { name, exact: true }).last()
  await button.press(ui('features/guides:keys.key.enter'))
  await button.waitFor({ state: 'detached' })
}

test('a button that goes by what it does leaves the focus where one goes on: to undo, of one record and of many', async () => {
  const id = await given()
  const { page, done } = await open(id)
  const first = await recordText(page)
  await page.keyboard.press(ui('features/guides:keys.key.backspace'))
  await expect.poll(() => recordText(page)).not.toBe(first)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => recordText(page)).toContain(ui('common:status.discarded'))
  await pressAway(page, ui('features/annotate:action.undo'))
  await question(page, 'tone').and(page.locator(':focus-within')).waitFor()
  await page.keyboard.press('2')
  await question(page, 'tone').getByRole('radio', { name: 'Bad', checked: true }).waitFor()

  await openAnnotation(page, id, '?page=1~10')
  const boxes = page.locator('[data-select-record]')
  await boxes.first().check()
  await page.keyboard.press(ui('features/guides:keys.key.backspace'))
  await pressAway(page, ui('features/annotate:action.undo'))
  await page.locator('section[aria-label=Records]:focus-within').waitFor()
  await done()
})

test('and to clear a search of datasets, beside its words and where it has found nothing', async () => {
  const { page, done } = await open(await given())
  await page.goto('/')
  const search = page.getByRole('searchbox', { name: ui('features/home:search') })
  await search.fill('dataset')
  await pressAway(page, ui('features/annotate:toolbar.clearSearch'))
  await search.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('zzz')
  await page.getByRole('heading', { level: 2 }).waitFor()
  await pressAway(page, ui('features/annotate:toolbar.clearSearch'))
  await page.locator('#main:focus').waitFor()
  await done()
})

test('and to close a notification: it is where it was before', async () => {
  const { page, done } = await open(await given())
  await page.context().setOffline(true)
  const notice = page
    .getByRole('region', { name: ui('common:toast.region') })
    .getByRole('button', { name: ui('common:action.close') })
  await notice.waitFor()
  await question(page, 'note').getByRole('textbox').focus()
  await notice.press(ui('features/guides:keys.key.enter'))
  await notice.waitFor({ state: 'detached' })
  await question(page, 'note').getByRole('textbox').and(page.locator(':focus')).waitFor()
  await page.context().setOffline(false)
  await done()
})
