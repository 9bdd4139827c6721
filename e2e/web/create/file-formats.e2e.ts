import { pngOf } from '@postil/server/platform/images/testing/png.ts'
import { makeWorkbook, textRow } from '@postil/server/platform/xlsx/testing/make-workbook.ts'
import { makeZip } from '@postil/server/platform/zip/testing/make-zip.ts'
import { detail } from '@postil/testkit/detail.ts'
import { beforeAll, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { choose, chooseRole, importEnded } from '../support/creation-form.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()
beforeAll(() => seedUser(team.server, 'adam', 'admin', [team.workspaceId]))

const at = async (path: string) => {
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url, 'adam', PASSWORD)
  await opened.page.goto(path)
  return opened
}

detail('a workbook is read from the selected sheet', async () => {
  const { page, close, complaints } = await at('/new')
  const sheets = {
    Reviews: [textRow(1, 'id', 'review'), textRow(2, 'r1', 'Arrived late.'), textRow(3, 'r2', 'Works.')],
    Questions: [textRow(1, 'key', 'question'), textRow(2, 'q1', 'Where is it?')],
    Notes: [textRow(1, 'only', 'names')],
  }
  await choose(page, 'team.xlsx', makeWorkbook({ sheets }))
  await chooseRole(page, 'review').waitFor()
  const sheet = page.getByRole('combobox', { name: ui('features/create:file.sheet') })
  await expect.poll(() => sheet.inputValue()).toBe('Reviews')
  // The text also occurs in the list of rows that can be the heading. There, it may be hidden.
  await page.getByText('Arrived late.').locator('visible=true').first().waitFor()
  await sheet.selectOption('Questions')
  await chooseRole(page, 'question').waitFor()
  await expect.poll(() => chooseRole(page, 'review').count()).toBe(0)
  await sheet.selectOption('Notes')
  await page
    .getByText(ui('features/refusals:refusal.sheetNoRows', { sheet: ui('features/refusals:quoted', { name: 'Notes' }) }))
    .waitFor()
  await expect.poll(() => sheet.inputValue()).toBe('Questions')
  await page
    .getByRole('region', { name: ui('features/create:preview.title') })
    .getByText('Where is it?')
    .waitFor()
  expect(complaints().filter((one) => !one.includes('422'))).toEqual([])
  await close()
})

test('an archive of images becomes a dataset that shows its images', async () => {
  const { page, close, complaints } = await at('/new')
  const colours = [
    ['warm/red.png', [220, 60, 40]],
    ['warm/orange.png', [230, 150, 40]],
    ['cold/blue.png', [40, 90, 210]],
    ['cold/green.png', [40, 160, 110]],
  ] as const
  const images = colours.map(([name, colour]) => ({ name, content: pngOf(colour, 64) }))
  await choose(page, 'colours.zip', makeZip([...images, { name: 'cold/notes.txt', content: 'no image' }]))
  await expect.poll(() => chooseRole(page, 'image').inputValue()).toBe('field')
  await expect.poll(() => chooseRole(page, 'folder').inputValue()).toBe('question')
  await page.getByText(ui('features/create:check.badOfAll', { count: 1, rows: '5' })).waitFor()
  const preview = page.getByRole('region', { name: ui('features/create:preview.title') })
  await preview.getByRole('img', { name: 'image' }).waitFor()
  await page.getByRole('button', { name: ui('features/create:bar.createAndImport') }).click()
  await page.getByText(importEnded({ created: 4, failed: 1 })).waitFor({ timeout: 120_000 })
  await page.getByRole('link', { name: ui('features/create:imports.annotate') }).click()
  const image = page.getByRole('img', { name: 'image' })
  await image.waitFor()
  await page.waitForFunction(() =>
    [...document.images].some(({ naturalWidth, src }) => naturalWidth === 64 && src.includes('/files/')),
  )
  await expect.poll(() => image.getAttribute('src')).toMatch(/^\/api\/v1\/datasets\/[^/]+\/files\/[0-9a-f]{64}\.png$/)
  expect(complaints()).toEqual([])
  await close()
})
