import type { Page } from 'playwright-core'
import { type UiKey, uiPattern } from '../../harness/ui-text.ts'

export type Screen = {
  readonly path: string
  readonly who?: 'owner' | 'lead' | 'nobody'
  /**
   * Whether the page must be reloaded before the next screen. Otherwise, it would keep a mocked response or ask about unsaved
   * changes.
   */
  readonly isAlone?: true
  readonly ready: (page: Page) => Promise<unknown>
}

/** Matches a UI string in any language, because screens are opened in all of them. */
export const inAnyLanguage = (key: UiKey): RegExp =>
  new RegExp((['en', 'de', 'es'] as const).map((language) => uiPattern(key, {}, { language }).source).join('|'))
