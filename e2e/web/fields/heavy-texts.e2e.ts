import { describe, expect, test } from 'vitest'
import { answering } from '../support/answering.ts'
import { setUpTeam } from '../support/team.ts'

const { givenRecords, open } = answering(setUpTeam())

const options = ['Good', 'Bad'].map((one) => ({ value: one.toLowerCase(), text: one }))
const questions = { tone: { title: 'Tone', required: true, settings: { type: 'label_selection', options } } }
const field = (name: string, type: 'text' | 'chat') => ({
  name,
  title: name,
  required: true,
  settings: { type, use_markdown: true },
})
const given = (text: string) => givenRecords([{ fields: { text } }], { fields: [field], questions })

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight']
const table = (rows: number) =>
  [names, names.map(() => '---'), ...Array.from({ length: rows }, (_, at) => names.map((name) => `${name}${at}`))]
    .map(row)
    .join('\n')

describe('markdown that holds much', () => {
  test('has a table of many cells in pieces that are drawn as they come near, each under the heading', async () => {
    const { page, done } = await open(await given(`Before it.\n\n${table(5000)}\n\nAfter it.`))
    const rows = page.locator('main tbody tr')
    await rows.first().waitFor()
    expect(await rows.count()).toBeLessThan(2500)
    const toEnd = () => page.getByText('After it.').scrollIntoViewIfNeeded()
    await expect.poll(() => toEnd().then(() => rows.last().innerText())).toContain('Eight4999')
    expect(await page.locator('main table').last().locator('th').allInnerTexts()).toEqual(names)
    expect(await rows.count()).toBeLessThan(5000)
    await done()
  })
})
