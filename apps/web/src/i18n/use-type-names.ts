import type { KindNames } from '@postil/contract/wire/kinds.ts'
import { useCallback } from 'react'
import { hasText } from './texts.ts'
import { useTranslation } from './use-translation.ts'

/**
 * Returns a function for the name of a question or field type in the UI language, for its settings. A type without a name is
 * called what the wire calls it.
 */
export const useTypeNames = (): ((what: 'question' | 'field', settings: KindNames) => string) => {
  const { t } = useTranslation('type-names')
  return useCallback(
    (what, { type, postil_kind: kind }) => {
      const known = [String(kind), type].find((name) => hasText(`type-names:${what}.${name}`))
      return known === undefined ? type : t(`${what}.${known}`)
    },
    [t],
  )
}
