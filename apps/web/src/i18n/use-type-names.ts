import type { KindNames } from '@postil/contract/wire/kinds.ts'
import { useCallback } from 'react'
import { hasText } from './texts.ts'
import { useTranslation } from './use-translation.ts'

/**
 * Returns a function that takes the settings of a question or field and returns its type's name in the UI language. If the type
 * has no such name, it returns the type's identifier in the API, for example `label_selection`.
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
