import type { ScreenFiles } from './screens.ts'

const known = globalThis as unknown as { readonly postilScreens?: readonly ScreenFiles[] }

const link = (rel: string, href: string): HTMLLinkElement => {
  const element = document.createElement('link')
  element.rel = rel
  element.href = `./${href}`
  element.crossOrigin = ''
  return element
}

/** The language that was chosen, else the browser's own, as far as it is offered, else English (`firstLanguage`). */
const textsOf = ({ texts }: ScreenFiles, language: unknown): readonly string[] => {
  const wanted = typeof language === 'string' ? [language] : navigator.languages
  const codes = wanted.flatMap((one) => [one.toLowerCase(), one.toLowerCase().split('-')[0] ?? ''])
  return texts[codes.find((code) => Object.hasOwn(texts, code)) ?? 'en'] ?? []
}

/** Begins to load the files of the screen that the address is of. @param isInside whether those behind sign-in are likely to be shown */
export const loadAhead = (path: string, query: string, language: unknown, isInside: boolean): void => {
  const screen = known.postilScreens?.find(
    (one) => new RegExp(one.path).test(path) && (one.query === undefined || new RegExp(one.query).test(query)),
  )
  if (screen === undefined || !(isInside || screen.open)) return
  const style = (href: string) => Object.assign(link('preload', href), { as: 'style' })
  // The first scripts go before: they run while these are on their way.
  const script = (href: string) => Object.assign(link('modulepreload', href), { fetchPriority: 'low' })
  document.head.append(...screen.styles.map(style), ...screen.scripts.map(script), ...textsOf(screen, language).map(script))
}
