import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, PHONE, violations } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { givenAnnotation, LABEL_AND_NOTE, question, stored } from '../ground/annotation.ts'
import { asOwner } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { box } from '../support/bulk.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()

let datasets = 0
const given = (records: number) =>
  givenAnnotation(team.server, {
    name: `told ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    metadata: [{ name: 'n', title: 'Number', settings: { type: 'integer' } }],
    records: Array.from({ length: records }, (_, index) => ({
      fields: { text: `Ada of record ${index + 1}.` },
      external_id: String(index + 1),
      metadata: { n: index + 1 },
    })),
  })
const open = async (id: string, settings: Parameters<typeof openPage>[2] = {}) => {
  const opened = await openPage(team.browser, team.server.url, settings)
  await haveSession(opened.page, team.server.url)
  await opened.page.goto(`/dataset/${id}/annotation-mode?page=1~10&sort=metadata.n.asc`)
  await card(opened.page, 1).waitFor()
  return opened
}
const card = (page: Page, number: number) => page.locator('li[data-record]', { hasText: `Ada of record ${number}.` })
const answerPage = async (page: Page) => {
  await page.locator('[data-select-page]').click()
  await question(page, 'label').getByRole('radio', { name: 'Yes' }).click()
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 10 }) }).click()
}
/** External ids of the records that have an answer, rising. */
const answered = async (id: string) =>
  (await stored(team.server, id))
    .flatMap(({ external_id, responses }) => (responses.length > 0 ? [Number(external_id)] : []))
    .sort((a, b) => a - b)
const idOf = async (id: string, number: number): Promise<string> =>
  (await stored(team.server, id)).find(({ external_id }) => external_id === String(number))?.id ?? ''
const last = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor()

const submitted = (count: number) => ui('features/annotate:deedMany.submitted', { count })
const rejected = (count: number) => ui('features/annotate:save.counted.refused', { count })

test('what a press did is counted by what became of each answer, and undone for those alone', async () => {
  const id = await given(12)
  const { page, context, close } = await open(id)
  const contested = await idOf(id, 3)
  await context.route(
    new RegExp(`${contested}/responses/mine`),
    (route) => route.fulfill({ status: 409, json: { detail: 'changed', response: null } }),
    { times: 1 },
  )
  const gone = [await idOf(id, 4), await idOf(id, 7)]
  await asOwner(team.server, 'DELETE', `/datasets/${id}/records?ids=${gone.join(',')}`)
  await answerPage(page)
  const contestedToo = ui('features/annotate:save.counted.conflict', { count: 1 })
  await last(page, [submitted(7), rejected(2), contestedToo].join(', '))
  await expect.poll(() => answered(id)).toEqual([1, 2, 5, 6, 8, 9, 10])
  // An answer that is given up is none that was submitted, and the others can still be undone.
  await page.getByRole('button', { name: ui('features/annotate:conflict.takeTheirs') }).click()
  await last(page, `${submitted(7)}, ${rejected(2)}`)
  await card(page, 4)
    .getByRole('button', { name: ui('features/annotate:refused.giveUp') })
    .click()
  await last(page, `${submitted(7)}, ${rejected(1)}`)
  await card(page, 7)
    .getByRole('button', { name: ui('features/annotate:refused.giveUp') })
    .click()
  await last(page, submitted(7))
  await page.getByRole('button', { name: ui('features/annotate:action.undo') }).click()
  await card(page, 1).waitFor()
  await expect.poll(() => answered(id)).toEqual([])
  await close()
})

test('what waits for the network is counted beside what has arrived', async () => {
  const id = await given(10)
  const { page, context, close } = await open(id)
  const late = new RegExp(`(${await idOf(id, 2)}|${await idOf(id, 9)})/responses/mine`)
  await context.route(late, (route) => route.abort())
  await answerPage(page)
  await last(page, `${submitted(8)}, ${ui('features/annotate:save.counted.kept', { count: 2 })}`)
  await expect.poll(() => answered(id)).toEqual([1, 3, 4, 5, 6, 7, 8, 10])
  await context.unroute(late)
  await last(page, submitted(10))
  await expect.poll(async () => (await answered(id)).length).toBe(10)
  await close()
})

test.each([
  ['a desk', {}],
  ['a phone', PHONE],
] as const)(
  'on %s the question before very many are answered says with what, and begins on the way back',
  async (_, settings) => {
    const id = await given(30)
    const { page, close } = await open(id, settings)
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    const selectAll = async () => {
      await page.locator('[data-select-page]').click()
      await page.getByRole('button', { name: ui('features/annotate:bulk.matched.select', { count: 30 }) }).click()
    }
    await selectAll()
    await page.getByRole('button', { name: ui('features/annotate:action.discard'), exact: true }).click()
    const discarding = page.getByRole('dialog', { name: ui('features/annotate:bulk.confirm.discarded', { count: 30 }) })
    await discarding.getByText(ui('features/annotate:bulk.confirmEmpty')).waitFor()
    await expect.poll(focused).toBe(ui('features/annotate:bulk.cancel'))
    await page.keyboard.press('Enter')
    await discarding.waitFor({ state: 'detached' })

    await question(page, 'label').getByRole('radio', { name: 'No' }).click()
    await question(page, 'note').getByRole('textbox').fill('the same for all')
    await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 30 }) }).click()
    const submitting = page.getByRole('dialog', { name: ui('features/annotate:bulk.confirm.submitted', { count: 30 }) })
    await submitting.waitFor()
    expect((await submitting.locator('dl').innerText()).split(/\s*\n\s*/)).toEqual(['Label', 'No', 'Note', 'the same for all'])
    await expect.poll(focused).toBe(ui('features/annotate:bulk.cancel'))
    expect(await violations(page, 'all')).toEqual([])
    await page.keyboard.press('Enter')
    await submitting.waitFor({ state: 'detached' })
    expect(await answered(id)).toEqual([])
    await close()
  },
)

test('on a phone it is seen how many are answered at once, and how many there are', async () => {
  const id = await given(30)
  const { page, close } = await open(id, PHONE)
  await box(page, 1).click()
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 1 }), exact: true }).waitFor()
  const seen = page.getByText('/ 30', { exact: true })
  await seen.waitFor()
  const next = await page.getByRole('button', { name: uiPattern('features/annotate:pager.nextPage') }).boundingBox()
  expect((next?.x ?? 0) + (next?.width ?? 0)).toBeLessThanOrEqual(PHONE.viewport.width)
  await close()
})
