import { fileURLToPath } from 'node:url'

type Graph = { readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null }

/** Small modules of ours that every screen needs: one file instead of a dozen requests. */
const shell =
  /\/query-core\/.*\/(utils|timeoutManager)\.js$|\/QueryClientProvider\.js$|\/packages\/client\/src\/(address|api-error|transport)\.|\/apps\/web\/src\/(lib\/(api\/(?!dataset-queries|error-codes)|prefs\/)|lib\/url\/(redirect|escape|query-string|home-search|annotation-params|sign-in-link)\.|i18n\/(?!area-files|use-texts)\w[\w-]*\.ts|features\/auth\/(api|service)\.|features\/second-factor\/(service|refusal)\.|ui\/(lazy-part|Notice|ProblemNotice|Button|IconButton|Input|VisuallyHidden|Mark|toast|announcer|class-names|use-document-title)\.)/

/** What screens behind sign-in need of the query library, which is one module to who imports it. */
const queries =
  /\/@tanstack\/(query-core|react-query)\/.*\/(queryObserver|mutationObserver|suspense|errorBoundaryUtils|QueryErrorResetBoundary|IsRestoringProvider|use(Base)?Query|useMutation|infiniteQueryOptions)\.js$/

/** All slices of question and field types travel in one file per language: ten requests would cost more than their bytes. */
const messagesGroup = (id: string): string | null => {
  const match = /\/src\/(question-types|field-types|features\/annotate)\/.*messages\.([a-z]{2})\.json$/.exec(id)
  return match ? `messages-annotate-${match[2]}` : null
}

const source = '/apps/web/src/'

/** Screens whose code travels with as few requests as can be, by the modules that they begin at. */
const screens = {
  outside: [
    'app/main.tsx',
    ...['SignIn', 'HostingSignIn', 'ProviderCallback'].map((one) => `features/auth/components/${one}Page.tsx`),
  ],
  inside: ['app/shell/InsideShell.tsx', 'i18n/area-files.ts', 'ui/Dialog.tsx'],
  home: ['features/home/components/HomePage.tsx'],
  annotation: ['features/annotate/AnnotatePage.tsx', 'features/annotate/service.ts'],
} as const
type Screen = keyof typeof screens

/** Everything that is there when a screen's modules are, by the imports that are no calls. */
const closureOf = (names: readonly string[], root: string, graph: Graph): ReadonlySet<string> => {
  const seen = new Set<string>()
  const left = names.map((name) => root + name)
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    left.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
  }
  return seen
}

/**
 * What the screens behind sign-in share, and what annotation needs, in one file each. On HTTP/1.1 a browser asks for six files at a time: sixty
 * small ones would take ten times the way to the server and back.
 */
const screenGroup = (): ((id: string, graph: Graph) => string | null) => {
  let known: { readonly [S in Screen]: ReadonlySet<string> } | null = null
  return (id, graph) => {
    if (!id.includes(source) && !id.includes('/node_modules/') && !id.includes('/packages/')) return null
    if (known === null) {
      const root = fileURLToPath(new URL('../src/', import.meta.url))
      known = Object.fromEntries(
        Object.entries(screens).map(([screen, names]) => [screen, closureOf(names, root, graph)]),
      ) as unknown as { readonly [S in Screen]: ReadonlySet<string> }
    }
    const { outside, inside, home, annotation } = known
    if (queries.test(id)) return 'inside'
    if (outside.has(id)) return null
    if (inside.has(id)) return 'inside'
    if (!annotation.has(id)) return null
    return home.has(id) ? 'inside' : 'annotate'
  }
}

/** How the modules of the page are put into files; the rest is left to the bundler. */
export const chunkGroups = () => [
  { name: messagesGroup, debugName: 'messages of the annotation screen', priority: 20 },
  // What every screen needs anyway, in files that outlive our own releases in caches: two, which a browser reads and compiles side by side. Not the
  // query library: sign-in needs little of it.
  { name: 'vendor', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 10 },
  {
    name: 'router',
    test: /\/node_modules\/(@tanstack\/(react-router|router-core|history|store|react-store)|use-sync-external-store)\//,
    priority: 9,
  },
  { name: 'shell', test: shell, priority: 8 },
  // The ways to sign in are one screen's, and each file of its own costs more than most of them hold.
  { name: 'sign-in', test: /\/src\/features\/auth\/components\/(?!Provider|Hosting)/, priority: 7 },
  { name: screenGroup(), debugName: 'the screens behind sign-in', priority: 6, includeDependenciesRecursively: false },
]
