import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { givenAnnotation, LABEL_AND_NOTE, left } from '../support/annotation.ts'
import { haveSession } from '../support/sign-in.ts'
import { setUpTeam } from '../support/team.ts'

const team = setUpTeam()

test('of the largest pages the next one is there too, ahead of the press and after it', async () => {
  const count = 1030
  const id = await givenAnnotation(team.server, {
    name: 'large pages',
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    records: Array.from({ length: count }, (_, i) => ({ fields: { text: `Record ${i + 1}` } })),
  })
  const { page, complaints, close } = await openPage(team.browser, team.server.url)
  await haveSession(page, team.server.url)
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400 && answer.url().includes(id)) refused.push(`${answer.status()} ${answer.url()}`)
  })
  const cards = page.locator('li[data-record]')
  const ids = () => cards.evaluateAll((all) => all.map((card) => card.getAttribute('data-record')))
  const ahead = page.waitForResponse((answer) => /records\/search\?offset=(?!0&)/.test(answer.url()))
  await page.goto(`/dataset/${id}/annotation-mode?page=1~1000`)
  await left(page, '1–1,000 of 1,030')
  expect((await ahead).status()).toBe(200)
  const seen = new Set(await ids())
  await page.getByRole('button', { name: /^Next page/ }).click()
  await left(page, '1,001–1,030 of 1,030')
  await page.locator('[data-question="label"]').waitFor()
  await expect.poll(() => cards.count()).toBe(30)
  for (const one of await ids()) seen.add(one)
  expect(seen.size).toBe(count)
  await page.getByRole('button', { name: /^Previous page/ }).click()
  await left(page, '1–1,000 of 1,030')
  expect(refused).toEqual([])
  expect(complaints()).toEqual([])
  await close()
})

test('a refusal that has nothing to do with filters is not told as one of theirs', async () => {
  const id = await givenAnnotation(team.server, {
    name: 'refused pages',
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    records: [{ fields: { text: 'Record 1' } }],
  })
  const { page, context, close } = await openPage(team.browser, team.server.url)
  await haveSession(page, team.server.url)
  const errors = [{ type: 'less_than_equal', loc: ['query', 'limit'], msg: 'Input should be less than or equal to 1000' }]
  await context.route(/records\/search/, (route) =>
    route.fulfill({ status: 422, json: { detail: { code: 'argilla.api.errors::ValidationError', params: { errors } } } }),
  )
  await page.goto(`/dataset/${id}/annotation-mode?page=1~10`)
  await page.getByRole('heading', { name: 'The records could not be loaded.' }).waitFor()
  expect(await page.getByText('These filters do not fit').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Clear the filters' }).count()).toBe(0)
  await context.unroute(/records\/search/)
  await page.getByRole('button', { name: 'Check again' }).click()
  await left(page, '1–1 of 1')
  await close()
})
