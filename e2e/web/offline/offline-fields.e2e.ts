import { pngOf } from '@postil/server/platform/images/testing/png.ts'
import { makeZip } from '@postil/server/platform/zip/testing/make-zip.ts'
import { createClient } from '@postil/testkit/client.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { openAnnotation } from '../fixtures/annotation.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { countOfflineRows } from '../support/offline.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()

const seed = async (): Promise<string> => {
  const client = createClient(team.server.url, { api_key: team.server.apiKey })
  const fields = [
    { name: 'image', title: 'Image', required: true, settings: { type: 'image' } },
    {
      name: 'card',
      title: 'Card',
      settings: { type: 'custom', template: '<p>{{record.fields.card.any}}</p>', advanced_mode: false },
    },
  ]
  const dataset = await createFactories(client).createDataset({ fields })
  const base = `/datasets/${dataset.id}/imports/files`
  const images = [1, 2].map((i) => ({ name: `${i}.png`, content: pngOf([255, 80 * i, 0], 6 + i) }))
  const { body: file } = await client.post<{ id: string }>(`${base}?name=a.zip`, makeZip(images), {
    'content-type': 'application/zip',
  })
  const mapping = { fields: [{ source: 'image', target: 'image' }], external_id: 'file_name' }
  await client.post(`${base}/${file.id}/start`, { mapping })
  type Listed = { items: { id: string; fields: { image: string } }[] }
  const listed = async () => (await client.get<Listed>(`/datasets/${dataset.id}/records`)).body.items
  await expect.poll(async () => (await listed()).length).toBe(2)
  for (const record of await listed()) {
    await client.patch(`/records/${record.id}`, { fields: { ...record.fields, card: { any: 'drawn by a template' } } })
  }
  return dataset.id
}

const widthShown = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLImageElement>('[data-picture] img')?.naturalWidth ?? 0)

test('images on the server are saved, and a template field says that it is unavailable until the network is back', async () => {
  const id = await seed()
  const { page, context, close } = await openPage(team.browser, team.server.url, { serviceWorkers: 'allow' })
  await createSession(page, team.server.url)
  await openAnnotation(page, id)
  await page.frameLocator('iframe[title="Card"]').getByText('drawn by a template').waitFor()
  await page.getByRole('button', { name: ui('features/annotate:take.title') }).click()
  const dialog = page.getByRole('dialog', { name: ui('features/annotate:take.title') })
  await dialog.getByLabel(ui('features/annotate:take.count')).selectOption('10')
  await dialog.getByRole('button', { name: ui('features/annotate:take.take', { count: 10 }) }).click()
  await dialog.getByText(uiPattern('features/annotate:take.here', { formatted: 2 })).waitFor()
  await dialog.getByText(ui('features/annotate:take.notTaken')).waitFor()

  // Clears the browser's own cache, so that it can't replace the saved files.
  const session = await context.newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await context.setOffline(true)
  const asked: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/frame') asked.push(request.method())
  })
  await page.reload()
  const widths = new Set<number>()
  for (let i = 0; i < 2; i += 1) {
    await expect.poll(async () => (await widthShown(page)) > 0 && !widths.has(await widthShown(page))).toBe(true)
    widths.add(await widthShown(page))
    await page.getByText(ui('field-types/custom:missing')).waitFor()
    await page.locator('iframe[title="Card"]').waitFor({ state: 'hidden' })
    // The page checks whether the server can be reached, instead of waiting for a frame that can't load.
    await expect.poll(() => asked).toContain('HEAD')
    if (i === 0) await page.getByRole('button', { name: uiPattern('features/annotate:pager.next') }).click()
  }
  expect([...widths].toSorted()).toEqual([7, 8])
  await context.setOffline(false)
  await page.frameLocator('iframe[title="Card"]').getByText('drawn by a template').waitFor()
  await page.getByText(ui('field-types/custom:missing')).waitFor({ state: 'detached' })

  await page.getByRole('button', { name: ui('features/annotate:take.title') }).click()
  await dialog.getByRole('button', { name: ui('features/annotate:take.leave') }).click()
  await dialog.getByText(uiPattern('features/annotate:take.here')).waitFor({ state: 'detached' })
  await expect.poll(async () => (await countOfflineRows(page))['files']).toBe(0)
  await close()
})
