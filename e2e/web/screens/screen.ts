import type { Page } from 'playwright-core'

export type Screen = {
  readonly path: string
  readonly who?: 'owner' | 'nobody'
  /** The page remembers a changed response, so the next screen reloads it. */
  readonly isAlone?: true
  readonly ready: (page: Page) => Promise<unknown>
}
