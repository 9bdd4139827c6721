import { fileURLToPath } from 'node:url'

type Graph = { readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null }

/** Puts small modules that every screen needs into one file, which saves a dozen requests. */
const shell =
  /\/query-core\/.*\/(utils|timeoutManager)\.js$|\/QueryClientProvider\.js$|\/packages\/(client\/src\/(address|api-error|transport)|contract\/src\/(wire\/code-points|annotation-query\/(escape|query-string|annotation-params)))\.|\/apps\/web\/src\/(lib\/(api\/(?!dataset-queries|error-codes)|prefs\/)|lib\/url\/(redirect|home-search|sign-in-link)\.|i18n\/(?!area-files|type-names|use-type-names|use-texts)\w[\w-]*\.ts|features\/auth\/(api|public|interrupted-session|session-refusal|other-tabs|hub-host)\.|lib\/sign-out-tasks\.|features\/second-factor\/(service|refusal)\.|ui\/\w+\/(lazy-part|Notice|ProblemNotice|Button|IconButton|Input|Select|Spinner|VisuallyHidden|Mark|first-icons|toast|toast-store|announcer|class-names|use-document-title)\.)/

/**
 * The modules of the query library that only signed-in screens need. They get their own file; imports of the library don't
 * change.
 */
const queries =
  /\/@tanstack\/(query-core|react-query)\/.*\/(queryObserver|mutationObserver|suspense|errorBoundaryUtils|QueryErrorResetBoundary|IsRestoringProvider|use(Base)?Query|useMutation|infiniteQueryOptions)\.js$/

/**
 * Messages of all question and field types go into one file per language: ten requests would cost more than the extra bytes.
 */
const messagesGroup = (id: string): string | null => {
  const match =
    /\/src\/(question-types|field-types|features\/annotate)\/(?!shared\/options\/|trace\/).*messages\.([a-z]{2})\.json$/.exec(id)
  return match ? `messages-annotate-${match[2]}` : null
}

const source = '/apps/web/src/'

/** The entry modules of the screens that must load in as few requests as possible. */
const screens = {
  outside: [
    'app/main.tsx',
    ...['SignIn', 'HostingSignIn', 'ProviderCallback'].map((one) => `features/auth/components/${one}Page.tsx`),
  ],
  inside: ['app/shell/SignedInShell.tsx', 'i18n/area-files.ts', 'i18n/type-names.ts', 'ui/Dialog.tsx'],
  home: ['features/home/components/HomePage.tsx'],
  annotation: ['features/annotate/AnnotatePage.tsx', 'features/annotate/public.ts'],
} as const
type Screen = keyof typeof screens

/** All modules that load with a screen: its static imports, followed transitively. */
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
 * Puts the code shared by signed-in screens into one file and the annotation code into another. An HTTP/1.1 browser requests
 * six files at a time, so sixty small files would take ten round trips.
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

/** Defines which of the web app's modules are grouped into common files. The bundler groups all other modules itself. */
export const chunkGroups = () => [
  { name: messagesGroup, debugName: 'messages of the annotation screen', priority: 20 },
  // Libraries that every screen needs, in files that stay cached across our releases. They are split into two files so that a
  // browser downloads and compiles them in parallel. The query library is excluded because sign-in needs only a few of its
  // functions.
  { name: 'vendor', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 10 },
  {
    name: 'router',
    test: /\/node_modules\/(@tanstack\/(react-router|router-core|history|store|react-store)|use-sync-external-store)\//,
    priority: 9,
  },
  { name: 'shell', test: shell, priority: 8 },
  // All sign-in methods share one screen. Most are so small that separate files would cost more than they save.
  { name: 'sign-in', test: /\/src\/features\/auth\/components\/(?!Provider|Hosting|Invitation|NewPassword)/, priority: 7 },
  // Everything that span questions show is loaded in one request.
  {
    name: 'spans',
    test: /\/src\/question-types\/span\/(?!index|settings|SettingsForm|list\/SpanMenu).*\.(tsx?|css)$/,
    priority: 7,
    includeDependenciesRecursively: false,
  },
  { name: screenGroup(), debugName: 'the screens behind sign-in', priority: 6, includeDependenciesRecursively: false },
]
