import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findViolations, type Language, PHONE, switchLanguage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { expectLeft, openAnnotation, progressText, RECORD, teamProgressText } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { roundedBox, stableBox } from '../support/stable-box.ts'

const { seedRecords, open } = annotationTest(setUpSharedTeam())

const fields = ['Title', 'Text'].map((title) => ({
  name: title.toLowerCase(),
  title,
  required: true,
  settings: { type: 'text', use_markdown: false },
}))
const options = ['Yes', 'No'].map((text) => ({ value: text.toLowerCase(), text }))
const questions = {
  label: { title: 'Label', required: true, settings: { type: 'label_selection', options } },
  again: { title: 'Again', required: false, settings: { type: 'label_selection', options } },
}
const metadata = [{ name: 'source', title: 'Source', settings: { type: 'terms' } }]
const seed = (more: object = {}) =>
  seedRecords(
    Array.from({ length: 3 }, () => ({
      fields: { title: 'A title', text: 'A text <b>as it is</b>.' },
      metadata: { source: 'web', page: 7 },
    })),
    { fields, questions, metadata, ...more },
  )

/** Records the text of an element at every paint from now on. Returns the texts so far, without consecutive repetitions. */
const everyText = async (page: Page, selector: string): Promise<() => Promise<readonly string[]>> => {
  const name = 'textsSeen'
  await page.evaluate(
    ([wanted, list]) => {
      const texts: string[] = []
      Object.assign(window, { [list]: texts })
      const look = (): void => {
        const text = document.querySelector<HTMLElement>(wanted)?.innerText.replace(/\s+/g, ' ')
        if (text !== undefined && text !== texts.at(-1)) texts.push(text)
        requestAnimationFrame(look)
      }
      look()
    },
    [selector, name] as const,
  )
  return () => page.evaluate((list) => (window as unknown as Record<string, string[]>)[list] ?? [], name)
}

const bar = (page: Page) => page.getByRole('separator', { name: ui('features/annotate:split.label') })
const shareOf = async (page: Page): Promise<number> => {
  const record = await roundedBox(page.locator(RECORD))
  return Math.round((record.width / (page.viewportSize()?.width ?? 1)) * 100)
}

describe('the two columns', () => {
  test('are separated by a bar that moves with mouse and keys within limits, and keeps its position', async () => {
    const { page, done } = await open(await seed())
    await expectLeft(page, 3)
    const shares = (wanted: number) => expect.poll(() => shareOf(page)).toBe(wanted)
    await shares(60)
    const at = await stableBox(bar(page))
    const drag = async (from: number, to: number, wanted: number): Promise<void> => {
      await page.mouse.move(from, at.y + 200)
      await page.mouse.down()
      await page.mouse.move(to, at.y + 200, { steps: 4 })
      // On release, the page stores the column width that it drew last. The test therefore waits until the wanted width is drawn.
      await shares(wanted)
      await page.mouse.up()
      await shares(wanted)
    }
    await drag(at.x + at.width / 2, 720, 50)
    // Both sides have a minimum width.
    await drag(720, 30, 38)
    await bar(page).focus()
    await page.keyboard.press('End')
    await expect.poll(() => bar(page).getAttribute('aria-valuenow')).toBe('62')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await shares(58)
    // The separator's arrow keys don't move to another record.
    expect(new URL(page.url()).searchParams.get('page') ?? '1').toBe('1')
    await page.reload()
    await expectLeft(page, 3)
    await shares(58)
    await bar(page).dblclick()
    await shares(60)
    await done()
  })
})

describe('the record text', () => {
  const prose =
    'It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want of a wife. However little known the feelings or views of such a man may be on his first entering a neighbourhood, this truth is so well fixed in the minds of the surrounding families, that he is considered the rightful property of some one or other of their daughters.'
  const kinds = [
    { name: 'plain', settings: { type: 'text', use_markdown: false } },
    { name: 'marked', settings: { type: 'text', use_markdown: false } },
    { name: 'markdown', settings: { type: 'text', use_markdown: true } },
    { name: 'chat', settings: { type: 'chat', use_markdown: false } },
  ]
  /** The length of the longest line of prose in a field, in characters. */
  const longestLine = (page: Page, title: string): Promise<number> =>
    page.getByRole('group', { name: title }).evaluate(
      (group, start) => {
        const walker = document.createTreeWalker(group, NodeFilter.SHOW_TEXT)
        const lines = new Map<number, number>()
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const { data } = node as Text
          if (!data.startsWith(start)) continue
          for (let at = 0; at < data.length; at += 1) {
            const range = document.createRange()
            range.setStart(node, at)
            range.setEnd(node, at + 1)
            const { bottom, width } = range.getBoundingClientRect()
            if (width > 0) lines.set(Math.round(bottom), (lines.get(Math.round(bottom)) ?? 0) + 1)
          }
        }
        return Math.max(...lines.values())
      },
      prose.slice(0, 20),
    )

  test('has at most 75 characters a line, while text for labeling and other content can be wider', async () => {
    const code = '```\nconst wide = true\n```'
    const id = await seedRecords(
      [{ fields: { plain: prose, marked: prose, markdown: `${prose}\n\n${code}`, chat: [{ role: 'user', content: prose }] } }],
      {
        fields: kinds.map(({ name, settings }) => ({ name, title: name, required: name === 'plain', settings })),
        questions: {
          names: {
            title: 'Names',
            required: true,
            settings: { type: 'span', field: 'marked', options, allow_overlapping: false },
          },
        },
      },
    )
    const { page, done } = await open(id, { viewport: { width: 1920, height: 1080 } })
    await page.locator('main pre').waitFor()
    for (const { name } of kinds) {
      const limit = name === 'marked' ? 100 : 75
      expect([name, await longestLine(page, name)]).toEqual([
        name,
        expect.toSatisfy((most: number) => most > 60 && most <= limit),
      ])
    }
    const widthOf = async (selector: string) => (await page.locator(selector).boundingBox())?.width ?? 0
    expect(await widthOf('main pre')).toBeGreaterThan((await widthOf('main div:has(> pre) > p')) * 1.2)
    await done()
  })
})

describe('next to the record', () => {
  test('guidelines open and stay open on return', async () => {
    const { page, done } = await open(await seed({ guidelines: '# Be kind\n\nAnd **quick**.' }))
    const guidelines = page.getByRole('region', { name: ui('features/annotate:guidelines.title') })
    expect(await guidelines.count()).toBe(0)
    await page.getByRole('button', { name: ui('features/annotate:guidelines.title') }).click()
    await guidelines.locator('strong', { hasText: 'quick' }).waitFor()
    await page.reload()
    await guidelines.getByText('Be kind').waitFor()
    // Closing the panel removes the close button, so the focus returns to where it was in the form.
    await guidelines.getByRole('button', { name: ui('features/annotate:guidelines.close') }).press('Enter')
    await guidelines.waitFor({ state: 'detached' })
    await page.locator('[data-question=label]:focus-within').waitFor()
    await done()
  })

  test('guidelines start at the first word', async () => {
    const { page, done } = await open(await seed({ guidelines: 'Be kind.' }))
    await page.getByRole('button', { name: ui('features/annotate:guidelines.title') }).click()
    const starts = (words: string) => roundedBox(page.getByText(words, { exact: true }).first())
    await page.getByText('Be kind.').waitFor()
    expect((await starts('Be kind.')).x).toBe((await starts('A title')).x)
    await done()
  })

  test('guidelines have their own screen on a phone, closed by one tap', async () => {
    const { page, done } = await open(await seed({ guidelines: '# Be kind\n\nAnd **quick**.' }), PHONE)
    await expectLeft(page, 3)
    const tools = page.getByRole('button', { name: ui('features/annotate:toolbar.tools') })
    // The bars above the record leave most of the screen to the record.
    expect((await roundedBox(page.locator(RECORD))).y).toBeLessThanOrEqual(96)
    await tools.tap()
    const button = page.getByRole('button', { name: ui('features/annotate:guidelines.title') })
    const sheet = page.getByRole('dialog', { name: ui('features/annotate:guidelines.title') })
    await button.tap()
    await sheet.locator('strong', { hasText: 'quick' }).waitFor()
    expect((await roundedBox(sheet)).height).toBe(PHONE.viewport.height)
    expect(await findViolations(page)).toEqual([])
    await sheet.getByRole('button', { name: ui('common:action.close') }).tap()
    await sheet.waitFor({ state: 'detached' })
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
    // A sheet that covers the record must not open automatically.
    await button.tap()
    await sheet.waitFor()
    await page.reload()
    await expectLeft(page, 3)
    expect(await sheet.count()).toBe(0)
    await done()
  })

  test('metadata is shown and can be copied in full or by field', async () => {
    const { page, done } = await open(await seed(), { permissions: ['clipboard-read', 'clipboard-write'] })
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await page.getByRole('button', { name: ui('features/annotate:record.menu') }).click()
    await page.getByRole('menuitem', { name: ui('features/annotate:record.viewMetadata') }).click()
    const dialog = page.getByRole('dialog', { name: ui('features/annotate:info.title') })
    await dialog.getByRole('row').first().waitFor()
    const rows = await dialog.getByRole('row').allInnerTexts()
    // Metadata for which the dataset has no property is shown too.
    expect(rows.map((row) => row.replace(/\s+/g, ' '))).toEqual(expect.arrayContaining(['source web', 'page 7']))
    expect(rows[0]).toMatch(new RegExp(`^${ui('features/annotate:info.id')}\\s+[0-9a-f-]{36}$`))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: ui('features/annotate:record.menu') }).click()
    await page.getByRole('menuitem', { name: ui('features/annotate:record.copy') }).click()
    await page.getByText(ui('features/annotate:record.copied')).first().waitFor()
    expect(await copied()).toBe('Title\nA title\n\nText\nA text <b>as it is</b>.')
    await page.getByRole('group', { name: 'Title' }).hover()
    await page.getByRole('button', { name: ui('features/annotate:record.copyField', { title: 'Title' }) }).click()
    await expect.poll(copied).toBe('A title')
    await done()
  })

  test('the progress of the user and the team is counted live and never goes backwards', async () => {
    const { page, done } = await open(await seed())
    const progress = page.getByRole('region', { name: ui('features/annotate:progress.name') })
    const ownProgress = async () => (await progress.locator('dl').innerText()).replace(/\s+/g, ' ')
    await expect.poll(ownProgress).toBe(progressText(3, 0, 0, 0))
    const seen = await everyText(page, `section[aria-label="${ui('features/annotate:progress.name')}"] dl`)
    const isSeen = (wanted: string) => expect.poll(async () => (await seen()).at(-1)).toBe(wanted)
    await isSeen(progressText(3, 0, 0, 0))
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await expectLeft(page, 2)
    await isSeen(progressText(2, 0, 0, 1))
    await expect.poll(() => progress.getByRole('progressbar').getAttribute('aria-valuetext')).toBe(teamProgressText(1, 3))
    await page.keyboard.press('Backspace')
    await isSeen(progressText(1, 0, 1, 1))
    await page.keyboard.press('2')
    // An earlier response may still arrive, so wait for the one whose counts include the draft.
    const counted = page.waitForResponse(
      async (response) => response.url().endsWith('/metrics') && /"draft":1\b/.test(await response.text().catch(() => '')),
    )
    await page.keyboard.press('Control+s')
    await isSeen(progressText(0, 1, 1, 1))
    await counted
    await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))))
    expect(await seen()).toEqual([
      progressText(3, 0, 0, 0),
      progressText(2, 0, 0, 1),
      progressText(1, 0, 1, 1),
      progressText(0, 1, 1, 1),
    ])
    await done()
  })

  test('the last action is shown in the page language, even when the language changes', async () => {
    const { page, done } = await open(await seed())
    await expectLeft(page, 3)
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await expectLeft(page, 2)
    const isTold = async (language: Language): Promise<void> => {
      const [lastAction, undo] = [
        ui('features/annotate:done.submitted', {}, language),
        ui('features/annotate:action.undo', {}, language),
      ]
      const words = page.getByRole('button', { name: undo }).locator('..')
      await expect.poll(async () => (await words.innerText()).replace(/\s+/g, ' ')).toBe(`${lastAction} ${undo}`)
    }
    await isTold('en')
    await switchLanguage(page, 'de')
    await isTold('de')
    await done()
  })
})

describe('the toolbar', () => {
  /** Interactive elements that are partly off the screen. */
  const beyond = (page: Page): Promise<readonly string[]> =>
    page.locator('main :is(button, select)').evaluateAll((controls) =>
      controls.flatMap((control) => {
        const { left: from, right: to, width } = control.getBoundingClientRect()
        return width > 0 && (from < 0 || to > innerWidth) ? [`${control.ariaLabel ?? control.textContent}: ${from} to ${to}`] : []
      }),
    )

  test('fits the narrowest screen in every language, for every status and for several records', async () => {
    const id = await seed()
    const { page, done } = await open(id, { ...PHONE, viewport: { width: 320, height: 640 } })
    const queries = [...['pending', 'draft', 'submitted', 'discarded'].map((status) => `?status=${status}`), '?page=1~10']
    for (const query of queries) {
      await openAnnotation(page, id, query)
      for (const language of ['de', 'es', 'en'] as const) {
        await switchLanguage(page, language)
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
        await expect.poll(() => beyond(page), { message: `${query} ${language}` }).toEqual([])
      }
    }
    await done()
  })

  test('and the record have icons whose names are shown on hover', async () => {
    const { page, done } = await open(await seed())
    await expectLeft(page, 3)
    const icons = page
      .locator(':is(header, main) :is(button, a[href$="/settings"])[aria-label]:has(> svg)')
      .filter({ visible: true })
    const names = await icons.evaluateAll((all) => all.map((icon) => icon.ariaLabel))
    expect(names).toEqual(
      expect.arrayContaining(
        ['toolbar.search', 'guidelines.title', 'shortcuts.title', 'view.bulk', 'record.menu', 'settings'].map((key) =>
          ui(`features/annotate:${key}` as 'features/annotate:settings'),
        ),
      ),
    )
    const tooltip = page.locator('[role=tooltip]:popover-open')
    for (const [index, name] of names.entries()) {
      await icons.nth(index).hover()
      await expect.poll(() => tooltip.allInnerTexts(), { message: `${name}` }).toEqual([name])
      await page.mouse.move(0, 0)
      await tooltip.waitFor({ state: 'detached' })
    }
    await done()
  })

  test('shows the chosen view even with forced colors', async () => {
    const { page, done } = await open(await seed(), { forcedColors: 'active' })
    await expectLeft(page, 3)
    const borderOf = (name: string) =>
      page.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).borderTopWidth)
    expect([await borderOf(ui('features/annotate:view.focus')), await borderOf(ui('features/annotate:view.bulk'))]).toEqual([
      '2px',
      '0px',
    ])
    await done()
  })
})
