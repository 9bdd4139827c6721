import type { ScreenFiles } from './screens.ts'

const bootGlobals = globalThis as unknown as { readonly postilScreens?: readonly ScreenFiles[] }

const createLink = (rel: string, href: string): HTMLLinkElement => {
  const element = document.createElement('link')
  element.rel = rel
  element.href = `./${href}`
  element.crossOrigin = ''
  return element
}

/**
 * Returns the message files for the chosen language, else for the browser's language if it is offered, else for English
 * (`firstLanguage`).
 */
const textFilesFor = ({ texts }: ScreenFiles, language: unknown): readonly string[] => {
  const preferred = typeof language === 'string' ? [language] : navigator.languages
  const codes = preferred.flatMap((one) => [one.toLowerCase(), one.toLowerCase().split('-')[0] ?? ''])
  return texts[codes.find((code) => Object.hasOwn(texts, code)) ?? 'en'] ?? []
}

/** Starts to load the files of the screen at a path. @param wasSignedIn whether screens behind sign-in are likely to be shown */
export const preloadFiles = (path: string, query: string, language: unknown, wasSignedIn: boolean): void => {
  const screen = bootGlobals.postilScreens?.find(
    (one) => new RegExp(one.path).test(path) && (one.query === undefined || new RegExp(one.query).test(query)),
  )
  if (screen === undefined || !(wasSignedIn || screen.open)) return
  const style = (href: string) => Object.assign(createLink('preload', href), { as: 'style' })
  // The first scripts have priority: they run while these load.
  const script = (href: string) => Object.assign(createLink('modulepreload', href), { fetchPriority: 'low' })
  document.head.append(...screen.styles.map(style), ...screen.scripts.map(script), ...textFilesFor(screen, language).map(script))
}
