/**
 * The modules that a screen needs, so that their files can be requested while the first scripts load. `path` is the URL path
 * below the prefix. The build finds the files of the modules and rejects unknown module names.
 */
type ScreenModules = {
  readonly path: RegExp
  /** A pattern that the query must match, if set. */
  readonly query?: RegExp
  /** Set if the screen is shown without signing in. */
  readonly open?: true
  readonly modules: readonly string[]
  /** The message areas that are needed first. */
  readonly texts: readonly string[]
}

const shell = ['app/shell/SignedInShell.tsx', 'i18n/area-files.ts']
const annotation = [...shell, 'features/annotate/public.ts', 'features/annotate/AnnotatePage.tsx']
const creation = [...shell, 'features/create/public.ts', 'features/create/pages.ts']

/** The first match wins. */
export const screens: readonly ScreenModules[] = [
  { path: /^sign-in$/, open: true, modules: ['features/auth/components/SignInPage.tsx'], texts: ['features/auth'] },
  {
    path: /^second-factor$/,
    modules: ['features/auth/components/SecondFactorPage.tsx'],
    texts: ['features/auth', 'features/second-factor'],
  },
  { path: /^$/, modules: [...shell, 'features/home/components/HomePage.tsx'], texts: ['features/home', 'features/hub'] },
  {
    path: /^dataset\/[^/]+\/annotation-mode$/,
    query: /[?&]page=\d+~/,
    modules: [...annotation, 'features/annotate/bulk/BulkView.tsx'],
    texts: ['features/annotate'],
  },
  { path: /^dataset\/[^/]+\/annotation-mode$/, modules: annotation, texts: ['features/annotate'] },
  {
    path: /^dataset\/[^/]+\/settings$/,
    modules: [...shell, 'features/settings/public.ts', 'features/settings/components/SettingsPage.tsx'],
    texts: ['features/settings'],
  },
  { path: /^(new(\/|$)|dataset\/[^/]+\/import$)/, modules: creation, texts: ['features/create'] },
  {
    path: /^administration$/,
    modules: [...shell, 'features/administration/components/AdministrationPage.tsx'],
    texts: ['features/administration'],
  },
  { path: /^guides$/, modules: [...shell, 'features/guides/components/GuidesPage.tsx'], texts: ['features/guides'] },
  { path: /^user-settings$/, modules: [...shell, 'features/profile/components/ProfilePage.tsx'], texts: ['features/profile'] },
]

/** File names. */
export type Files = { readonly scripts: readonly string[]; readonly styles: readonly string[] }

/** The path and the files of a screen. The build inserts this data before the boot script. */
export type ScreenFiles = Files & {
  readonly path: string
  readonly query?: string
  readonly open?: true
  /** The message files for each language, keyed by language. */
  readonly texts: { readonly [language: string]: readonly string[] }
}

/**
 * The files that the annotation screen needs for each kind of question or field, keyed by kind. The build finds the files by the
 * names of the modules in the kind's folder.
 */
export type KindFiles = { readonly [kind: string]: Files }
export const kindModules = ['parts.ts', 'Editor.tsx', 'View.tsx'] as const
