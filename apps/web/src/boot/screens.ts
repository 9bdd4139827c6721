/**
 * Which files a screen needs, so that they are asked for while the first scripts are still on their way. `path` is the
 * address below the prefix; the build finds the files of the modules, and refuses names that no module has.
 */
export type ScreenModules = {
  readonly path: RegExp
  /** What the query has to look like, where that matters. */
  readonly query?: RegExp
  /** Whether it is for everybody, not only behind sign-in. */
  readonly open?: true
  readonly modules: readonly string[]
  /** Areas whose texts are shown first. */
  readonly texts: readonly string[]
}

const shell = ['app/shell/InsideShell.tsx', 'i18n/area-files.ts']
const annotation = [...shell, 'features/annotate/service.ts', 'features/annotate/AnnotatePage.tsx']
const making = [...shell, 'features/create/service.ts', 'features/create/pages.ts']

/** The first that fits counts. */
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
    modules: [...shell, 'features/settings/service.ts', 'features/settings/components/SettingsPage.tsx'],
    texts: ['features/settings'],
  },
  { path: /^(new(\/|$)|dataset\/[^/]+\/import$)/, modules: making, texts: ['features/create'] },
  {
    path: /^administration$/,
    modules: [...shell, 'features/administration/components/AdministrationPage.tsx'],
    texts: ['features/administration'],
  },
  { path: /^guides$/, modules: [...shell, 'features/guides/components/GuidesPage.tsx'], texts: ['features/guides'] },
  { path: /^user-settings$/, modules: [...shell, 'features/profile/components/ProfilePage.tsx'], texts: ['features/profile'] },
]

/** The same as the build writes it before the boot script. */
export type ScreenFiles = {
  readonly path: string
  readonly query?: string
  readonly open?: true
  /** Names of files; those of texts by language. */
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  readonly texts: { readonly [language: string]: readonly string[] }
}
