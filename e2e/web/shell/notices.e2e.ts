import { variants } from '@postil/testkit/run-size.ts'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  applyTheme,
  checkedRules,
  DESKTOP,
  findViolations,
  openPage,
  type PageOptions,
  PHONE,
  THEMES,
} from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import {
  actionButton,
  expectLeft,
  openAnnotation,
  QUESTIONS,
  question,
  seedAnnotationDataset,
  storedAnswers,
} from '../fixtures/annotation.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'
import { roundedBox, stableBox } from '../support/stable-box.ts'

const team = setUpSharedTeam()

let datasets = 0
const open = async (options: PageOptions, query = '') => {
  const id = await seedAnnotationDataset(team.server, {
    name: `notices ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: { tone: QUESTIONS.tone, note: QUESTIONS.note },
    records: Array.from({ length: 12 }, (_, index) => ({ fields: { text: `Record ${index + 1}` } })),
  })
  const opened = await openPage(team.browser, team.server.url, {
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  await createSession(opened.page, team.server.url)
  await openAnnotation(opened.page, id, query)
  return { ...opened, id }
}

const noticeWithText = (page: Page, text: string) => page.getByRole('region', { name: ui('common:toast.region') }).getByText(text)
const form = (page: Page) => page.getByRole('form', { name: ui('features/annotate:form.name') })

/** Whether nothing covers the element at its center and near its corners. */
const isFree = async (element: Locator): Promise<boolean> => {
  await element.scrollIntoViewIfNeeded()
  return element.evaluate((own) => {
    const { left: x, top: y, width, height } = own.getBoundingClientRect()
    const shares = [0.1, 0.5, 0.9]
    return shares.every((across) =>
      shares.every((down) => {
        const met = document.elementFromPoint(x + width * across, y + height * down)
        return met !== null && (own.contains(met) || met.contains(own))
      }),
    )
  })
}

/**
 * Lists the parts that a notice covers although they must stay visible: the actions, the state of the answer, and the counts.
 */
const isCovered = async (page: Page): Promise<readonly string[]> => {
  const actions = [
    form(page).getByRole('button', { name: ui('features/annotate:action.clear'), exact: true }),
    actionButton(page, 'discard'),
    actionButton(page, 'draft'),
    actionButton(page, 'submit'),
  ]
  const progress = page.getByRole('region', { name: ui('features/annotate:progress.name') })
  const parts = [...actions, form(page).locator('[data-state]').last(), progress.locator('dl'), progress.getByRole('progressbar')]
  const free = await Promise.all(parts.map(isFree))
  return free.flatMap((one, at) => (one ? [] : [`part ${at} is covered`]))
}
/** How far the page extends beyond the window. */
const beyond = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)

const LANDSCAPE = { ...PHONE, viewport: { width: 844, height: 390 } } as const
const TABLET = { ...PHONE, viewport: { width: 768, height: 1024 } } as const

describe.each(
  variants(2, [
    ['a desktop', DESKTOP],
    ['a phone', PHONE],
    ['a phone in landscape', LANDSCAPE],
    ['a tablet', TABLET],
  ] as const),
)('on %s no notice covers the answer controls', (_, size) => {
  test.each([
    ['one record', ''],
    ['several records', '?page=1~10'],
  ])('with %s', async (_name, query) => {
    const { page, context, complaints, close } = await open(size, query)
    if (query !== '') await page.getByRole('checkbox', { name: ui('features/annotate:bulk.selectPage') }).check()
    await question(page, 'tone').getByText('Positive').click()
    await page
      .getByRole('button', { name: ui('features/annotate:record.menu') })
      .first()
      .click()
    const copy = page.getByRole('menuitem', { name: ui('features/annotate:record.copy') })
    await copy.waitFor()
    await context.setOffline(true)
    await noticeWithText(page, ui('common:connection.offline')).waitFor()
    expect(await isCovered(page)).toEqual([])
    expect(await beyond(page)).toBe(0)
    // Temporary notices may cover parts of the page, but not those that `isCovered` checks.
    await copy.click()
    await noticeWithText(page, ui('features/annotate:record.copied')).waitFor()
    expect(await isCovered(page)).toEqual([])
    await context.setOffline(false)
    await noticeWithText(page, ui('common:connection.online')).waitFor()
    expect(await isCovered(page)).toEqual([])
    // The notice about a rejected answer stays until the user has seen the answer.
    const refused = { status: 422, json: { detail: 'This answer will not do' } }
    await context.route(/\/responses\/mine/, (route) => route.fulfill(refused))
    if (query === '') await actionButton(page, 'submit').click()
    else await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: 10 }) }).click()
    // Moves the pointer off the button, because the button's tooltip must not count as a notice.
    await page.mouse.move(0, 0)
    await noticeWithText(page, query === '' ? ui('features/annotate:issue.rejected') : ui('common:connection.online')).waitFor()
    if (query === '') expect(await isCovered(page)).toEqual([])
    expect(await beyond(page)).toBe(0)
    expect(complaints()).toEqual([])
    await close()
  })
})

test('on a phone the bar at the bottom works offline, and the notice at the top is accessible in every theme', async () => {
  const { page, context, complaints, close, id } = await open(PHONE)
  await context.setOffline(true)
  await noticeWithText(page, ui('common:connection.offline')).waitFor()
  for (const theme of THEMES) {
    await applyTheme(page, theme)
    expect(await findViolations(page, theme === 'light' ? 'all' : checkedRules(theme))).toEqual([])
  }
  await question(page, 'tone').getByText('Positive').tap()
  await actionButton(page, 'submit').tap()
  await expectLeft(page, 11)
  await actionButton(page, 'discard').tap()
  await expectLeft(page, 10)
  await context.setOffline(false)
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(2)
  // A closed notice no longer takes up space.
  const strip = page.getByRole('region', { name: ui('common:toast.region') })
  await strip.getByRole('button', { name: ui('common:action.close') }).tap()
  await expect.poll(async () => (await roundedBox(page.locator('header'))).y).toBe(0)
  expect(complaints()).toEqual([])
  await close()
})

test('a notice that appears or disappears during a click does not move the target', async () => {
  const { page, context, complaints, close } = await open(DESKTOP)
  const press = async (text: string, duringPress: () => Promise<void>) => {
    const option = question(page, 'tone').getByText(text)
    await option.scrollIntoViewIfNeeded()
    const before = await stableBox(option)
    await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2)
    await page.mouse.down()
    await duringPress()
    expect(await roundedBox(option)).toEqual(before)
    await page.mouse.up()
    await question(page, 'tone').getByRole('radio', { name: text, checked: true }).waitFor()
  }
  const strip = page.getByRole('region', { name: ui('common:toast.region') }).getByRole('listitem')
  const said = (text: string) => page.locator('[aria-live]').getByText(text).waitFor({ state: 'attached' })
  await press('Positive', async () => {
    await context.setOffline(true)
    await said(ui('common:connection.offline'))
    expect(await strip.count()).toBe(0)
  })
  await strip.waitFor()
  // The notice disappears after some seconds.
  const back = noticeWithText(page, ui('common:connection.online')).waitFor()
  await press('Negative', async () => {
    await context.setOffline(false)
    await said(ui('common:connection.online'))
  })
  await back
  expect(complaints()).toEqual([])
  await close()
})
