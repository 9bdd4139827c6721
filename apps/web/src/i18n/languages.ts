/**
 * Every language that has a file `messages/common.<code>.json`, or one file for all areas, `languages/<code>.json`. Adding a
 * language requires no code changes.
 */
const languageFiles = Object.keys(import.meta.glob(['./messages/common.*.json', './languages/*.json']))

export const defaultLanguage = 'en'
export const languages: readonly string[] = languageFiles
  .flatMap((path) => /(?:common\.|languages\/)([a-z]{2,3})\.json$/.exec(path)?.[1] ?? [])
  .sort()

/** The language's own name, for example "Deutsch". */
export const languageName = (code: string): string => {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}

const offered = (wanted: string): string | undefined => {
  const code = wanted.toLowerCase()
  return [code, code.split('-')[0] ?? ''].find((candidate) => languages.includes(candidate))
}

/**
 * Returns the initial language: the chosen one. If none is chosen, returns the first of the browser's languages that is offered,
 * or English if none of them is offered.
 */
export const firstLanguage = (chosen: string | null, browser: readonly string[] = navigator.languages): string =>
  chosen !== null ? resolveLanguage(chosen) : (browser.map(offered).find((code) => code !== undefined) ?? defaultLanguage)

/** Returns the offered language for a language code: `de-AT` becomes `de`. Falls back to English. */
export const resolveLanguage = (wanted: string): string => offered(wanted) ?? defaultLanguage
