import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type Language, PHONE, speak, violations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { left, openAnnotation, progressText, RECORD } from '../ground/annotation.ts'
import { answering } from '../ground/answering.ts'
import { setUpTeam } from '../ground/team.ts'
import { boxAtRest } from '../support/at-rest.ts'

const { givenRecords, open } = answering(setUpTeam())

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
const given = (more: object = {}) =>
  givenRecords(
    Array.from({ length: 3 }, () => ({
      fields: { title: 'A title', text: 'A text <b>as it is</b>.' },
      metadata: { source: 'web', page: 7 },
    })),
    { fields, questions, metadata, ...more },
  )

/** From now on, every text that an element has when something is painted; gives those so far, one that stays once. */
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
  const record = await page.locator(RECORD).boundingBox()
  return Math.round(((record?.width ?? 0) / (page.viewportSize()?.width ?? 1)) * 100)
}

describe('the two columns', () => {
  test('are divided by a bar that is moved by mouse and keys, not too far, and stays where it was put', async () => {
    const { page, done } = await open(await given())
    await left(page, 3)
    const shares = (wanted: number) => expect.poll(() => shareOf(page)).toBe(wanted)
    await shares(60)
    const at = await boxAtRest(bar(page))
    const drag = async (from: number, to: number, wanted: number): Promise<void> => {
      await page.mouse.move(from, at.y + 200)
      await page.mouse.down()
      await page.mouse.move(to, at.y + 200, { steps: 4 })
      // What is kept is what was drawn last.
      await shares(wanted)
      await page.mouse.up()
      await shares(wanted)
    }
    await drag(at.x + at.width / 2, 720, 50)
    // Neither side gets out of hand.
    await drag(720, 30, 38)
    await bar(page).focus()
    await page.keyboard.press('End')
    await expect.poll(() => bar(page).getAttribute('aria-valuenow')).toBe('62')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await shares(58)
    // Its arrows lead to no other record.
    expect(new URL(page.url()).searchParams.get('page') ?? '1').toBe('1')
    await page.reload()
    await left(page, 3)
    await shares(58)
    await bar(page).dblclick()
    await shares(60)
    await done()
  })
})

describe('what is read', () => {
  const prose =
    'It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want of a wife. However little known the feelings or views of such a man may be on his first entering a neighbourhood, this truth is so well fixed in the minds of the surrounding families, that he is considered the rightful property of some one or other of their daughters.'
  const kinds = [
    { name: 'plain', settings: { type: 'text', use_markdown: false } },
    { name: 'marked', settings: { type: 'text', use_markdown: false } },
    { name: 'markdown', settings: { type: 'text', use_markdown: true } },
    { name: 'chat', settings: { type: 'chat', use_markdown: false } },
  ]
  /** The characters of the longest line of prose in a field. */
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

  test('has at most 75 characters a line, and what is no prose may be wider', async () => {
    const code = '```\nconst wide = true\n```'
    const id = await givenRecords(
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
      expect([name, await longestLine(page, name)]).toEqual([name, expect.toSatisfy((most: number) => most > 60 && most <= 75)])
    }
    const widthOf = async (selector: string) => (await page.locator(selector).boundingBox())?.width ?? 0
    expect(await widthOf('main pre')).toBeGreaterThan((await widthOf('main div:has(> pre) > p')) * 1.2)
    await done()
  })
})

describe('beside the record', () => {
  test('its guidelines are opened, and stay open for whoever comes back', async () => {
    const { page, done } = await open(await given({ guidelines: '# Be kind\n\nAnd **quick**.' }))
    const guidelines = page.getByRole('region', { name: ui('features/annotate:guidelines.title') })
    expect(await guidelines.count()).toBe(0)
    await page.getByRole('button', { name: ui('features/annotate:guidelines.title') }).click()
    await guidelines.locator('strong', { hasText: 'quick' }).waitFor()
    await page.reload()
    await guidelines.getByText('Be kind').waitFor()
    // Its button goes with it: the focus is where it was before, in the form.
    await guidelines.getByRole('button', { name: ui('features/annotate:guidelines.close') }).press('Enter')
    await guidelines.waitFor({ state: 'detached' })
    await page.locator('[data-question=label]:focus-within').waitFor()
    await done()
  })

  test('its guidelines begin where its words do', async () => {
    const { page, done } = await open(await given({ guidelines: 'Be kind.' }))
    await page.getByRole('button', { name: ui('features/annotate:guidelines.title') }).click()
    const starts = (words: string) => page.getByText(words, { exact: true }).first().boundingBox()
    await page.getByText('Be kind.').waitFor()
    expect((await starts('Be kind.'))?.x).toBe((await starts('A title'))?.x)
    await done()
  })

  test('its guidelines have a screen of their own on a phone, closed by one tap', async () => {
    const { page, done } = await open(await given({ guidelines: '# Be kind\n\nAnd **quick**.' }), PHONE)
    await left(page, 3)
    const button = page.getByRole('button', { name: ui('features/annotate:guidelines.title') })
    const sheet = page.getByRole('dialog', { name: ui('features/annotate:guidelines.title') })
    await button.tap()
    await sheet.locator('strong', { hasText: 'quick' }).waitFor()
    expect((await sheet.boundingBox())?.height).toBe(PHONE.viewport.height)
    expect(await violations(page)).toEqual([])
    await sheet.getByRole('button', { name: ui('common:action.close') }).tap()
    await sheet.waitFor({ state: 'detached' })
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
    // What covers the record does not come by itself.
    await button.tap()
    await sheet.waitFor()
    await page.reload()
    await left(page, 3)
    expect(await sheet.count()).toBe(0)
    await done()
  })

  test('there is its metadata, and it is copied as a whole or by field', async () => {
    const { page, done } = await open(await given(), { permissions: ['clipboard-read', 'clipboard-write'] })
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await page.getByRole('button', { name: ui('features/annotate:record.menu') }).click()
    await page.getByRole('menuitem', { name: ui('features/annotate:record.viewMetadata') }).click()
    const dialog = page.getByRole('dialog', { name: ui('features/annotate:info.title') })
    await dialog.getByRole('row').first().waitFor()
    const rows = await dialog.getByRole('row').allInnerTexts()
    // What is no property of the dataset is told, too.
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

  test('what oneself and the team have done is counted as it is done, and never goes back', async () => {
    const { page, done } = await open(await given())
    const progress = page.getByRole('region', { name: ui('features/annotate:progress.name') })
    const mine = async () => (await progress.locator('dl').innerText()).replace(/\s+/g, ' ')
    await expect.poll(mine).toBe(progressText(3, 0, 0, 0))
    const seen = await everyText(page, `section[aria-label="${ui('features/annotate:progress.name')}"] dl`)
    const isSeen = (wanted: string) => expect.poll(async () => (await seen()).at(-1)).toBe(wanted)
    await isSeen(progressText(3, 0, 0, 0))
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await left(page, 2)
    await isSeen(progressText(2, 0, 0, 1))
    await expect.poll(() => progress.getByRole('progressbar').getAttribute('aria-valuetext')).toContain('33.33%')
    await page.keyboard.press('Backspace')
    await isSeen(progressText(1, 0, 1, 1))
    await page.keyboard.press('2')
    // Counts of before may still be on their way.
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

  test('what was done last is told in the language of the page, also when that changes', async () => {
    const { page, done } = await open(await given())
    await left(page, 3)
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await left(page, 2)
    const isTold = async (language: Language): Promise<void> => {
      const [deed, undo] = [
        ui('features/annotate:deed.submitted', {}, language),
        ui('features/annotate:action.undo', {}, language),
      ]
      const words = page.getByRole('button', { name: undo }).locator('..')
      await expect.poll(async () => (await words.innerText()).replace(/\s+/g, ' ')).toBe(`${deed} ${undo}`)
    }
    await isTold('en')
    await speak(page, 'de')
    await isTold('de')
    await done()
  })
})

describe('the toolbar', () => {
  /** What can be pressed and is not on the screen as a whole. */
  const beyond = (page: Page): Promise<readonly string[]> =>
    page.locator('main :is(button, select)').evaluateAll((controls) =>
      controls.flatMap((control) => {
        const { left: from, right: to, width } = control.getBoundingClientRect()
        return width > 0 && (from < 0 || to > innerWidth) ? [`${control.ariaLabel ?? control.textContent}: ${from} to ${to}`] : []
      }),
    )

  test('is within reach on the narrowest screen, in every language, for every status and for several records', async () => {
    const id = await given()
    const { page, done } = await open(id, { ...PHONE, viewport: { width: 320, height: 640 } })
    const queries = [...['pending', 'draft', 'submitted', 'discarded'].map((status) => `?status=${status}`), '?page=1~10']
    for (const query of queries) {
      await openAnnotation(page, id, query)
      for (const language of ['de', 'es', 'en'] as const) {
        await speak(page, language)
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
        await expect.poll(() => beyond(page), { message: `${query} ${language}` }).toEqual([])
      }
    }
    await done()
  })

  test('shows which view is chosen also where colours are forced', async () => {
    const { page, done } = await open(await given(), { forcedColors: 'active' })
    await left(page, 3)
    const borderOf = (name: string) =>
      page.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).borderTopWidth)
    expect([await borderOf(ui('features/annotate:view.focus')), await borderOf(ui('features/annotate:view.bulk'))]).toEqual([
      '2px',
      '0px',
    ])
    await done()
  })
})
