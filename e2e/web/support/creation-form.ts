import type { Page } from 'playwright-core'
import { ui } from '../../harness/ui-text.ts'

/** Chooses a file in the page's file input. */
export const choose = (page: Page, name: string, content: string | Uint8Array): Promise<void> =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content as Uint8Array) })

export const chooseRole = (page: Page, column: string) =>
  page.getByRole('combobox', { name: ui('features/create:columns.becomes', { column }) })

/** The sentence about an import that has ended. */
export const importEnded = ({
  status = 'finished',
  created,
  updated = 0,
  failed = 0,
}: {
  readonly status?: 'finished' | 'failed' | 'canceled'
  readonly created: number
  readonly updated?: number
  readonly failed?: number
}): string => {
  const counts = [
    ui('features/create:imports.created', { count: created }),
    ...(updated > 0 ? [ui('features/create:imports.updated', { count: updated })] : []),
    ...(failed > 0 ? [ui('features/create:imports.failed', { count: failed })] : []),
  ]
  return `${ui(`features/create:imports.status.${status}`)} ${counts.join(', ')}.`
}

/** Chooses a way to create a dataset on the home page. */
export const startDataset = async (page: Page, from: 'file' | 'hub' | 'scratch' | 'python'): Promise<void> => {
  await page.getByRole('button', { name: ui('features/home:newDataset') }).click()
  await page.getByRole('menuitem', { name: ui(`features/home:from.${from}`) }).click()
}
