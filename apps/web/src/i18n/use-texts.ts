import type { TFunction } from 'i18next'
import i18next from 'i18next'
import { use, useSyncExternalStore } from 'react'
import { preloadMessages } from './setup.ts'

const subscribe = (listener: () => void): (() => void) => {
  i18next.on('languageChanged', listener)
  return () => i18next.off('languageChanged', listener)
}
const languageNow = (): string => i18next.language

const made = new Map<string, { readonly t: TFunction }>()
const onTheWay = new Map<string, Promise<void>>()

/** Waits for an area that nobody has loaded ahead; the same wait for all who ask. */
const arrival = (name: string, area: string): Promise<void> => {
  const loading = onTheWay.get(name) ?? preloadMessages(area).finally(() => onTheWay.delete(name))
  onTheWay.set(name, loading)
  return loading
}

/**
 * The texts of an area, for parts that a screen has by the hundred: `useTranslation` copies all of i18next for each part that calls it,
 * which is a tenth of the work of a page of records.
 */
export const useTexts = (area = 'common'): { readonly t: TFunction } => {
  const language = useSyncExternalStore(subscribe, languageNow)
  const name = `${language} ${area}`
  if (!i18next.hasResourceBundle(language, area)) use(arrival(name, area))
  const texts = made.get(name) ?? { t: i18next.getFixedT(language, area) as TFunction }
  made.set(name, texts)
  return texts
}
