import type { Page } from 'playwright-core'
import { ui } from '../../harness/ui-text.ts'

/** Has the page's file input take a file. */
export const choose = (page: Page, name: string, content: string | Uint8Array): Promise<void> =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content as Uint8Array) })

/** The list that says what a column becomes. */
export const becomes = (page: Page, column: string) =>
  page.getByRole('combobox', { name: ui('features/create:columns.becomes', { column }) })
