import type { AnnotationSetup } from '@postil/contract/annotation-setup.ts'
import { type KindNames, kindIn } from '@postil/contract/wire/kinds.ts'
import type { Files, KindFiles, ScreenFiles } from './screens.ts'

/** The files of each screen, and of each question and field type. The build inserts these lists before the boot script. */
const built = globalThis as unknown as {
  readonly postilScreens?: readonly ScreenFiles[]
  readonly postilKinds?: { readonly [folder in 'questions' | 'fields']: KindFiles }
}

const createLink = (rel: string, href: string): HTMLLinkElement => {
  const element = document.createElement('link')
  element.rel = rel
  element.href = `./${href}`
  element.crossOrigin = ''
  return element
}

// The priority is low, because the first scripts are more urgent. These files load while the first scripts run.
const scriptLink = (href: string) => Object.assign(createLink('modulepreload', href), { fetchPriority: 'low' })

const preload = ({ scripts, styles }: Files): void =>
  document.head.append(
    ...styles.map((href) => Object.assign(createLink('preload', href), { as: 'style' })),
    ...scripts.map(scriptLink),
  )

/**
 * Returns the message files for the chosen language or, if none is chosen, for the browser's language. Falls back to English if
 * that language isn't offered (`firstLanguage`).
 */
const textFilesFor = ({ texts }: ScreenFiles, language: unknown): readonly string[] => {
  const preferred = typeof language === 'string' ? [language] : navigator.languages
  const codes = preferred.flatMap((one) => [one.toLowerCase(), one.toLowerCase().split('-')[0] ?? ''])
  return texts[codes.find((code) => Object.hasOwn(texts, code)) ?? 'en'] ?? []
}

/**
 * Starts loading the files for the screen at the given path. @param wasSignedIn whether screens behind sign-in are likely to be
 * shown
 */
export const preloadScreen = (path: string, query: string, language: unknown, wasSignedIn: boolean): void => {
  const screen = built.postilScreens?.find(
    (one) => new RegExp(one.path).test(path) && (one.query === undefined || new RegExp(one.query).test(query)),
  )
  if (screen === undefined || !(wasSignedIn || screen.open)) return
  preload({ styles: screen.styles, scripts: [...screen.scripts, ...textFilesFor(screen, language)] })
}

/**
 * Starts loading the files for the kinds of a dataset's questions and fields. The web app itself could request these files only
 * after its own scripts have loaded.
 */
export const preloadKinds = ({ questions, fields }: AnnotationSetup): void => {
  const { postilKinds: kinds } = built
  if (kinds === undefined) return
  const filesOf = (files: KindFiles, all: readonly { readonly settings: KindNames }[]): readonly Files[] =>
    all.flatMap(({ settings }) => files[kindIn(files, settings)] ?? [])
  const needed = [...filesOf(kinds.questions, questions), ...filesOf(kinds.fields, fields)]
  preload({
    scripts: [...new Set(needed.flatMap(({ scripts }) => scripts))],
    styles: [...new Set(needed.flatMap(({ styles }) => styles))],
  })
}
