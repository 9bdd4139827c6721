/** Every language that has the file `messages/common.<code>.json`, or one file for all areas, `languages/<code>.json`: adding one takes no code. */
const languageFiles = Object.keys(import.meta.glob(['./messages/common.*.json', './languages/*.json']))

export const defaultLanguage = 'en'
export const languages: readonly string[] = languageFiles
  .flatMap((path) => /(?:common\.|languages\/)([a-z]{2,3})\.json$/.exec(path)?.[1] ?? [])
  .sort()

/** The language's own name for itself, for example "Deutsch". */
export const languageName = (code: string): string => {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}

/** `de-AT` becomes `de`; what is not offered becomes English. */
export const resolveLanguage = (wanted: string | null | undefined): string => {
  const code = (wanted ?? '').toLowerCase()
  const base = code.split('-')[0] ?? ''
  return [code, base].find((candidate) => languages.includes(candidate)) ?? defaultLanguage
}
