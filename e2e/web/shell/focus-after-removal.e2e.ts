import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ui } from '../../harness/ui-text.ts'
import { openAnnotation, question, recordText } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpTeam } from '../fixtures/team.ts'

const { seedRecords, open } = annotationTest(setUpTeam())

const records = ['One.', 'Two.'].map((text) => ({ fields: { text } }))
const seed = () =>
  seedRecords(records, {
    questions: {
      tone: {
        title: 'Tone',
        required: true,
        settings: { type: 'label_selection', options: ['Good', 'Bad'].map((text) => ({ value: text.toLowerCase(), text })) },
      },
      note: { title: 'Note', required: false, settings: { type: 'text', use_markdown: false } },
    },
  })

const pressUntilGone = async (page: Page, name: string): Promise<void> => {
  const button = page.getByRole('main').getByRole('button', { name, exact: true }).last()
  await button.press('Enter')
  await button.waitFor({ state: 'detached' })
}

test('an undo button that disappears after use moves the focus to the next step, for one record and for many', async () => {
  const id = await seed()
  const { page, done } = await open(id)
  const first = await recordText(page)
  await page.keyboard.press('Backspace')
  await expect.poll(() => recordText(page)).not.toBe(first)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => recordText(page)).toContain(ui('common:status.discarded'))
  await pressUntilGone(page, ui('features/annotate:action.undo'))
  await question(page, 'tone').and(page.locator(':focus-within')).waitFor()
  await page.keyboard.press('2')
  await question(page, 'tone').getByRole('radio', { name: 'Bad', checked: true }).waitFor()

  await openAnnotation(page, id, '?page=1~10')
  const boxes = page.locator('[data-select-record]')
  await boxes.first().check()
  await page.keyboard.press('Backspace')
  await pressUntilGone(page, ui('features/annotate:action.undo'))
  await page.locator(`section[aria-label="${ui('features/annotate:bulk.records')}"]:focus-within`).waitFor()
  await done()
})

test('clearing a dataset search moves the focus on, next to its words and in an empty result', async () => {
  const { page, done } = await open(await seed())
  await page.goto('/')
  const search = page.getByRole('searchbox', { name: ui('features/home:search') })
  await search.fill('dataset')
  await pressUntilGone(page, ui('features/home:clearSearch'))
  await search.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('zzz')
  await page.locator('main').getByRole('heading', { level: 2 }).waitFor()
  await pressUntilGone(page, ui('features/home:clearSearch'))
  await page.locator('#main:focus').waitFor()
  await done()
})

test('closing a notification returns the focus to its previous place', async () => {
  const { page, done } = await open(await seed())
  await page.context().setOffline(true)
  const notice = page
    .getByRole('region', { name: ui('common:toast.region') })
    .getByRole('button', { name: ui('common:action.close') })
  await notice.waitFor()
  await question(page, 'note').getByRole('textbox').focus()
  await notice.press('Enter')
  await notice.waitFor({ state: 'detached' })
  await question(page, 'note').getByRole('textbox').and(page.locator(':focus')).waitFor()
  await page.context().setOffline(false)
  await done()
})
