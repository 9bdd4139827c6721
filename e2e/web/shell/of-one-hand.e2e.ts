import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, THEMES, wearTheme } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { question, TEXT } from '../ground/annotation.ts'
import { answering } from '../ground/answering.ts'
import { givenDataset, givenWorkspace } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { boxAtRest } from '../support/at-rest.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()
const { givenRecords, open } = answering(team)

const order = ['a', 'b', 'c'].map((letter, index) => ({ value: `reply-${letter}`, rank: index + 1 }))
const suggestions = {
  tone: { value: 'neutral', score: 0.9, agent: 'model' },
  topics: { value: ['topic-03', 'topic-20'], score: [0.9, 0.5], agent: 'model' },
  replies: { value: order, agent: 'model' },
  note: { value: 'One line.', score: 0.7, agent: 'model' },
}
const given = () => givenRecords([{ fields: { text: TEXT }, suggestions }])

const openAs = async (path: string, ready: (page: Page) => Locator): Promise<{ page: Page; close: () => Promise<void> }> => {
  const { page, close } = await openPage(team.browser, team.server.url)
  await haveSession(page, team.server.url)
  await page.goto(path)
  await ready(page).first().waitFor()
  return { page, close }
}

/** Where it is drawn, without the room around it. */
const begins = async (drawn: Locator): Promise<number> => {
  await boxAtRest(drawn)
  return drawn.evaluate((element) => {
    const range = document.createRange()
    if (element instanceof SVGElement) range.selectNode(element)
    else range.selectNodeContents(element)
    return range.getBoundingClientRect().left
  })
}

test('six questions of all types and a short record are seen as a whole at 1440 by 900, what is above and below them begins where they do', async () => {
  const { page, done } = await open(await given())
  const note = question(page, 'note')
  await boxAtRest(note)
  const hidden = await note.evaluate((element) => {
    let around = element.parentElement!
    while (getComputedStyle(around).overflowY !== 'auto') around = around.parentElement!
    return around.scrollHeight - around.clientHeight
  })
  expect(hidden).toBe(0)
  const main = page.locator('main')
  const record = await begins(main.locator('section[aria-label=Record] h2').first())
  const icon = (kind: 'menu' | 'dialog') => main.locator(`button[aria-haspopup=${kind}] svg`).first()
  const beginsAt = async (drawn: Locator, edge: number) => expect(Math.abs((await begins(drawn)) - edge)).toBeLessThanOrEqual(1)
  await beginsAt(icon('menu'), record)
  await beginsAt(icon('dialog'), record)
  const asked = await begins(note.locator('h2'))
  for (const below of [ui('features/annotate:action.clear'), ui('features/annotate:save.open')])
    await beginsAt(main.getByText(below), asked)
  await beginsAt(main.locator('section[aria-label=Progress] dt svg').first(), asked)
  await done()
})

test('in a list of records a suggestion of one line is on the line of its question, beside a long one too', async () => {
  const id = await given()
  const { page, close } = await openAs(`/dataset/${id}/annotation-mode?page=1~10`, (on) =>
    on.locator('dl[aria-label=Suggestions]'),
  )
  const boxes = page.locator('dl[aria-label=Suggestions] > div')
  expect(await boxes.count()).toBe(4)
  for (const one of await boxes.filter({ hasNot: page.locator('ol') }).all()) {
    const [name, value] = [await boxAtRest(one.locator('dt')), await boxAtRest(one.locator('dd'))]
    expect(Math.abs(name.y + name.height / 2 - value.y - value.height / 2)).toBeLessThanOrEqual(2)
  }
  await close()
})

test('rows of datasets are equally high, whatever their workspaces are called', async () => {
  const names = ['a', 'contracts-of-the-north-east']
  for (const name of names) {
    const workspaceId = await givenWorkspace(team.server, name)
    await givenDataset(team.server, { name: `of ${name}`, workspaceId, records: 1 })
  }
  const { page, close } = await openAs(`/?workspaces=${names.join(',')}&search=of`, (on) => on.locator('main li'))
  const rows = page.locator('main li', { has: page.getByRole('link', { name: /^of / }) })
  await expect.poll(() => rows.count()).toBe(2)
  const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
  expect(heights[0]).toBe(heights[1])
  await close()
})

test('what one writes in is as high as what one chooses from, and as the button beside it', async () => {
  const id = await given()
  const settings = await openAs(`/dataset/${id}/settings`, (on) => on.locator('main select'))
  const height = async (of: Locator) => (await boxAtRest(of)).height
  expect(await height(settings.page.locator('main input[type=number]').first().locator('..'))).toBe(
    await height(settings.page.locator('main select').first()),
  )
  await settings.close()
  const start = await openAs('/user-settings', (on) => on.locator('input[type=password]'))
  const form = start.page.locator('form', { has: start.page.locator('input[type=password]') }).first()
  expect(await height(form.locator('input[type=password]').first().locator('..'))).toBe(
    await height(form.locator('button[type=submit]')),
  )
  await start.close()
})

test('a button that does nothing now has another ground than one that does, in every theme', async () => {
  const { page, close } = await openAs('/user-settings', (on) => on.locator('input[type=password]'))
  const ground = (name: string) =>
    page.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).backgroundColor)
  for (const theme of THEMES) {
    await wearTheme(page, theme)
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe(theme)
    expect(await ground(ui('features/profile:passwordChange'))).not.toBe(await ground(ui('features/second-factor:setUp')))
  }
  await close()
})
