import type { Page } from 'playwright-core'

export type Screen = {
  readonly path: string
  readonly who?: 'owner' | 'nobody'
  /** What it was told holds for the whole page, which is loaded anew after it. */
  readonly isAlone?: true
  readonly ready: (page: Page) => Promise<unknown>
}
