import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { applyTheme, openPage, THEMES } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { question, RECORD, TEXT } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { seedDataset, seedWorkspace } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'
import { stableBox } from '../support/stable-box.ts'

const team = setUpTeam()
const { seedRecords, open } = annotationTest(team)

const order = ['a', 'b', 'c'].map((letter, index) => ({ value: `reply-${letter}`, rank: index + 1 }))
const suggestions = {
  tone: { value: 'neutral', score: 0.9, agent: 'model' },
  topics: { value: ['topic-03', 'topic-20'], score: [0.9, 0.5], agent: 'model' },
  replies: { value: order, agent: 'model' },
  note: { value: 'One line.', score: 0.7, agent: 'model' },
}
const seed = () => seedRecords([{ fields: { text: TEXT }, suggestions }])

const openAs = async (path: string, ready: (page: Page) => Locator): Promise<{ page: Page; close: () => Promise<void> }> => {
  const { page, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
  await page.goto(path)
  await ready(page).first().waitFor()
  return { page, close }
}

/** The left edge of an element's visible content in pixels. Excludes the element's padding. */
const inlineStart = async (drawn: Locator): Promise<number> => {
  await stableBox(drawn)
  return drawn.evaluate((element) => {
    const range = document.createRange()
    if (element instanceof SVGElement) range.selectNode(element)
    else range.selectNodeContents(element)
    return range.getBoundingClientRect().left
  })
}

test('six questions of all types and a short record fit on screen at 1440 by 900, aligned with the content above and below', async () => {
  const { page, done } = await open(await seed())
  const note = question(page, 'note')
  await stableBox(note)
  const hidden = await note.evaluate((element) => {
    let around = element.parentElement!
    while (getComputedStyle(around).overflowY !== 'auto') around = around.parentElement!
    return around.scrollHeight - around.clientHeight
  })
  expect(hidden).toBe(0)
  const main = page.locator('main')
  const record = await inlineStart(main.locator(`${RECORD} h2`).first())
  const icon = (kind: 'menu' | 'dialog') => main.locator(`button[aria-haspopup=${kind}] svg`).first()
  const inlineStartOf = async (drawn: Locator, edge: number) =>
    expect(Math.abs((await inlineStart(drawn)) - edge)).toBeLessThanOrEqual(1)
  await inlineStartOf(icon('menu'), record)
  await inlineStartOf(icon('dialog'), record)
  const asked = await inlineStart(note.locator('h2'))
  for (const below of [ui('features/annotate:action.clear'), ui('features/annotate:save.open')])
    await inlineStartOf(main.getByText(below).last(), asked)
  await inlineStartOf(main.locator(`section[aria-label="${ui('features/annotate:progress.name')}"] dt svg`).first(), asked)
  await done()
})

test('in a list of records a one-line suggestion aligns with its question, even next to a long one', async () => {
  const id = await seed()
  const suggested = `dl[aria-label="${ui('features/annotate:bulk.suggestions')}"]`
  const { page, close } = await openAs(`/dataset/${id}/annotation-mode?page=1~10`, (on) => on.locator(suggested))
  const boxes = page.locator(`${suggested} > div`)
  expect(await boxes.count()).toBe(4)
  for (const one of await boxes.filter({ hasNot: page.locator('ol') }).all()) {
    const [name, value] = [await stableBox(one.locator('dt')), await stableBox(one.locator('dd'))]
    expect(Math.abs(name.y + name.height / 2 - value.y - value.height / 2)).toBeLessThanOrEqual(2)
  }
  await close()
})

test('dataset rows have equal heights, whatever their workspace names', async () => {
  const names = ['a', 'contracts-of-the-north-east']
  for (const name of names) {
    const workspaceId = await seedWorkspace(team.server, name)
    await seedDataset(team.server, { name: `of ${name}`, workspaceId, records: 1 })
  }
  const { page, close } = await openAs(`/?workspaces=${names.join(',')}&search=of`, (on) => on.locator('main li'))
  const rows = page.locator('main li', { has: page.getByRole('link', { name: /^of / }) })
  await expect.poll(() => rows.count()).toBe(2)
  const heights = await rows.evaluateAll((all) => all.map((row) => Math.round(row.getBoundingClientRect().height)))
  expect(heights[0]).toBe(heights[1])
  await close()
})

test('text inputs are as high as selects and as the button next to them', async () => {
  const id = await seed()
  const settings = await openAs(`/dataset/${id}/settings`, (on) => on.locator('main select'))
  const height = async (of: Locator) => (await stableBox(of)).height
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

test('a disabled button has a different background from an enabled one in every theme', async () => {
  const { page, close } = await openAs('/user-settings', (on) => on.locator('input[type=password]'))
  const ground = (name: string) =>
    page.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).backgroundColor)
  for (const theme of THEMES) {
    await applyTheme(page, theme)
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe(theme)
    expect(await ground(ui('features/profile:passwordChange'))).not.toBe(await ground(ui('features/second-factor:setUp')))
  }
  await close()
})
