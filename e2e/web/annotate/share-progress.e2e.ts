import { variants } from '@postil/testkit/run-size.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyTheme, findViolations, openBrowser, openPage, PHONE, THEMES } from '../../harness/browser.ts'
import { OWNER, type RunningServer, startServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, seedDataset, seedWorkspace } from '../fixtures/seed.ts'
import { createSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser
let datasetId: string

const NAME = 'reviews "of" <2026> & more'

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer({ env: { ARGILLA_ENABLE_SHARE_YOUR_PROGRESS: 'true' } }), openBrowser()])
  datasetId = await seedDataset(server, { name: NAME, workspaceId: await seedWorkspace(server, 'team'), records: 4 })
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const openAnnotationPage = async (options = {}) => {
  const opened = await openPage(browser, server.url, { permissions: ['clipboard-read', 'clipboard-write'], ...options })
  await createSession(opened.page, server.url)
  await opened.page.goto(`/dataset/${datasetId}/annotation-mode`)
  await opened.page
    .getByText(/^Record \d+ of reviews/)
    .first()
    .waitFor()
  return opened
}
const share = (page: Page) => page.getByRole('button', { name: ui('features/annotate:progress.shareVerb') })
const answer = async (count: number): Promise<void> => {
  type Found = { readonly items: readonly { readonly record: { readonly id: string } }[] }
  const { items } = await callAsOwner<Found>(server, 'POST', `/me/datasets/${datasetId}/records/search?limit=${count}`, {
    filters: { type: 'and', and: [{ type: 'terms', scope: { entity: 'response', property: 'status' }, values: ['pending'] }] },
  })
  for (const { record } of items) {
    await callAsOwner(server, 'POST', `/records/${record.id}/responses`, {
      status: 'submitted',
      values: { label: { value: 'yes' } },
    })
  }
}

test('progress can be shared once there is some, through a link that shows it and leads to the dataset', async () => {
  await answer(1)
  const { page, complaints, close } = await openAnnotationPage()
  await page.getByRole('button', { name: ui('features/annotate:action.submit') }).waitFor()
  expect(await share(page).count()).toBe(0)
  await answer(1)
  await page.reload()
  await share(page).click()
  const dialog = page.getByRole('dialog', { name: ui('features/annotate:progress.shareTitle') })
  const cardImage = dialog.getByRole('img', { name: ui('features/annotate:progress.shareCard', { name: NAME }) })
  await expect.poll(() => cardImage.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1200)
  const link = new URL(await dialog.getByLabel(ui('features/annotate:progress.shareLink'), { exact: true }).inputValue())
  await dialog.getByRole('button', { name: ui('features/annotate:progress.shareCopy') }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link.href)
  expect(link.origin + link.pathname).toBe(`${server.url}/share-your-progress`)
  expect(Object.fromEntries(link.searchParams)).toEqual({
    dataset_name: NAME,
    dataset_id: datasetId,
    user_name: OWNER.username,
    team_progress: '50',
    records_submitted: '2',
  })
  await page.keyboard.press('Escape')
  await expect.poll(() => share(page).evaluate((button) => button === document.activeElement)).toBe(true)
  await page.goto(link.href)
  await page.waitForURL((url) => url.pathname === `/dataset/${datasetId}/annotation-mode`)
  expect(complaints()).toEqual([])
  await close()
})

test.each(variants(1, [1440, 390] as const))(
  'the shared progress page has no accessibility violations at %i px',
  async (size) => {
    const { page, close } = await openAnnotationPage(size === 390 ? PHONE : {})
    await share(page).first().click()
    await page.getByRole('dialog').getByRole('img').waitFor()
    for (const theme of THEMES) {
      await applyTheme(page, theme)
      expect([theme, await findViolations(page)]).toEqual([theme, []])
    }
    await close()
  },
)
