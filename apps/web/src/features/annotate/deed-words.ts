import { formatCount } from '#i18n/format.ts'
import type { Translate } from '#i18n/texts.ts'
import type { Deed } from './use-annotation.ts'

/** What was done at one press, and to which records. */
export type DeedDone = { readonly deed: Deed; readonly recordIds: readonly string[] }

/** It in words, as it is told and as it is shown. @param t of this feature's texts */
export const deedWords = (t: Translate, { deed, recordIds: { length } }: DeedDone): string =>
  length > 1 && deed !== 'removed' ? t(`deedMany.${deed}`, { count: length, formatted: formatCount(length) }) : t(`deed.${deed}`)
