import type { User } from '@postil/contract/people/users.ts'
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router'
import {
  fetchProviders,
  requireDue,
  requireHosting,
  requireProviderAnswer,
  requireSession,
  requireSignedOut,
} from '#features/auth/service.ts'
import { homeQuery } from '#features/home/service.ts'
import { preloadMessages } from '#i18n/setup.ts'
import { loadFile } from '#lib/net/load-file.ts'
import { validateAnnotationSearch } from '#lib/url/annotation-params.ts'
import { validateHomeSearch } from '#lib/url/home-search.ts'
import { signInToken } from '#lib/url/sign-in-link.ts'
import { lazyPage } from './lazy-page.ts'
import { NotFoundPage } from './NotFoundPage.tsx'
import { AnnotationPending, SessionPending } from './PagePending.tsx'
import { RootShell } from './shell/RootShell.tsx'

type Visit = {
  readonly queryClient: QueryClient
  readonly params: { readonly [name: string]: string }
  readonly search: { readonly [name: string]: unknown }
  /** Nothing is asked for without a session: the guards tell the visitor. */
  readonly isSignedIn: Promise<boolean>
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The area of texts that the page can not be shown without. */
    messages?: string
    /** Asks for the data that the page shows first, before its code is there. */
    prefetch?: (visit: Visit) => Promise<void>
  }
}

type Context = { readonly queryClient: QueryClient }
type SignInSearch = { readonly omitCTA?: string; readonly link?: string }

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The part of a page that is shown. */
const readTab = (raw: { readonly [key: string]: unknown }): { readonly tab?: string } => {
  const tab = text(raw['tab'])
  return tab === undefined ? {} : { tab }
}

const root = createRootRouteWithContext<Context>()({ component: RootShell })

/**
 * Place holders are for pages that have their frame; before it, and outside of it, there is nothing to keep the place of. What takes a while is
 * a server that does not answer.
 */
const frameless = { pendingComponent: SessionPending, pendingMs: 1000 }

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  ...frameless,
  validateSearch: (raw): SignInSearch => {
    const omitCTA = text(raw['omitCTA'])
    const link = text(raw['link'])
    return { ...(omitCTA !== undefined && { omitCTA }), ...(link !== undefined && { link }) }
  },
  beforeLoad: ({ context, search, location }) =>
    requireSignedOut(context.queryClient, { ...search, hasLink: signInToken(location.hash, search.link) !== null }),
  staticData: { messages: 'features/auth' },
  loader: async ({ context }) => {
    const providers = fetchProviders(context.queryClient)
    await preloadMessages('features/auth')
    return { providers }
  },
  component: lazyPage(() => import('#features/auth/components/SignInPage.tsx'), 'SignInPage'),
})

const withProviders = {
  staticData: { messages: 'features/auth' },
  loader: async ({ context }: { context: Context }) => {
    const [providers] = await Promise.all([fetchProviders(context.queryClient), preloadMessages('features/auth')])
    return { providers }
  },
}

const hostingSignIn = createRoute({
  getParentRoute: () => root,
  path: '/welcome-hf-sign-in',
  ...frameless,
  beforeLoad: ({ context }) => requireHosting(context.queryClient),
  ...withProviders,
  component: lazyPage(() => import('#features/auth/components/HostingSignInPage.tsx'), 'HostingSignInPage'),
})

const providerCallback = createRoute({
  getParentRoute: () => root,
  path: '/oauth/$provider/callback',
  ...frameless,
  beforeLoad: ({ search }) => requireProviderAnswer(search),
  ...withProviders,
  component: lazyPage(() => import('#features/auth/components/ProviderCallbackPage.tsx'), 'ProviderCallbackPage'),
})

const secondFactor = createRoute({
  getParentRoute: () => root,
  path: '/second-factor',
  ...frameless,
  staticData: { messages: 'features/auth' },
  loader: async ({ context }) => {
    const due = await requireDue(context.queryClient)
    await preloadMessages('features/auth', 'features/second-factor')
    return { due }
  },
  component: lazyPage(() => import('#features/auth/components/SecondFactorPage.tsx'), 'SecondFactorPage'),
})

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  ...frameless,
  beforeLoad: async ({ context, location }) => ({ user: await requireSession(context.queryClient, location.href) }),
  component: lazyPage(() => import('./shell/InsideShell.tsx'), 'InsideShell'),
})

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  validateSearch: validateHomeSearch,
  staticData: {
    messages: 'features/home',
    prefetch: async ({ queryClient, isSignedIn }) => {
      if (await isSignedIn) await queryClient.prefetchQuery(homeQuery())
    },
  },
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(homeQuery())
    return preloadMessages('features/home', 'features/hub')
  },
  component: lazyPage(() => import('#features/home/components/HomePage.tsx'), 'HomePage'),
})

const importAnnotation = () => import('#features/annotate/service.ts')
const loadAnnotation = () => loadFile(importAnnotation)

const annotation = createRoute({
  getParentRoute: () => inside,
  path: '/dataset/$datasetId/annotation-mode',
  validateSearch: validateAnnotationSearch,
  staticData: {
    messages: 'features/annotate',
    prefetch: async ({ queryClient, params, search, isSignedIn }) => {
      const [{ prefetchAnnotation }, signedIn] = await Promise.all([loadAnnotation(), isSignedIn])
      if (signedIn)
        await prefetchAnnotation(queryClient, params['datasetId'] ?? '', validateAnnotationSearch(search), { comes: true })
    },
  },
  loader: async ({ context, params, location, cause }) => {
    const { loadAnnotationMessages, prefetchAnnotation, prepareAnnotation } = await loadAnnotation()
    const { queryClient, user } = context
    const { datasetId } = params
    const search = validateAnnotationSearch(location.search)
    // The address changes with every record: only the first visit asks for everything.
    const visit = {
      preload: () => prefetchAnnotation(queryClient, datasetId, search, { comes: false }),
      enter: () => prepareAnnotation(queryClient, { datasetId, userId: user.id, search }),
      stay: () => null,
    }
    await Promise.all([loadAnnotationMessages(), visit[cause]()])
  },
  component: lazyPage(() => import('#features/annotate/AnnotatePage.tsx'), 'AnnotatePage'),
  pendingComponent: AnnotationPending,
  notFoundComponent: NotFoundPage,
})

/** The crumb of a dataset and links from elsewhere may leave the view out. */
const dataset = createRoute({
  getParentRoute: () => inside,
  path: '/dataset/$datasetId',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/dataset/$datasetId/annotation-mode', params, replace: true })
  },
})

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/dataset/$datasetId/settings',
  validateSearch: readTab,
  staticData: { messages: 'features/settings' },
  loader: async () => (await loadFile(() => import('#features/settings/service.ts'))).loadSettingsMessages(),
  component: lazyPage(() => import('#features/settings/components/SettingsPage.tsx'), 'SettingsPage'),
  notFoundComponent: NotFoundPage,
})

const importCreation = () => import('#features/create/service.ts')
const loadCreation = () => loadFile(importCreation)
const pagesOfMaking = () => import('#features/create/pages.ts')

/** Pages that make datasets and fill them: for owners and admins. */
const making = {
  staticData: { messages: 'features/create' },
  loader: async ({ context }: { context: { user: User } }) => (await loadCreation()).enterMaking(context.user),
  notFoundComponent: NotFoundPage,
}

/** Clients that open the page for a dataset of the hub write `None` for what they do not say. */
const saidIn = (value: unknown): string | undefined => (value === 'None' || value === '' ? undefined : text(value))

type NewSearch = { readonly subset?: string; readonly split?: string }

const newDataset = createRoute({
  getParentRoute: () => inside,
  path: '/new/{-$datasetId}',
  validateSearch: (raw): NewSearch => {
    const subset = saidIn(raw['subset'])
    const split = saidIn(raw['split'])
    return { ...(subset !== undefined && { subset }), ...(split !== undefined && { split }) }
  },
  ...making,
  component: lazyPage(pagesOfMaking, 'NewDatasetPage'),
})

/** The same with the id of a dataset of the hub as people write it. */
const newFromHub = createRoute({
  getParentRoute: () => inside,
  path: '/new/$owner/$name',
  beforeLoad: ({ params: { owner, name }, search }) => {
    throw redirect({ to: '/new/{-$datasetId}', params: { datasetId: `${owner}/${name}` }, search, replace: true })
  },
})

const importRecords = createRoute({
  getParentRoute: () => inside,
  path: '/dataset/$datasetId/import',
  ...making,
  component: lazyPage(pagesOfMaking, 'ImportPage'),
})

const guides = createRoute({
  getParentRoute: () => inside,
  path: '/guides',
  staticData: { messages: 'features/guides' },
  loader: () => preloadMessages('features/guides'),
  component: lazyPage(() => import('#features/guides/components/GuidesPage.tsx'), 'GuidesPage'),
})

const administration = createRoute({
  getParentRoute: () => inside,
  path: '/administration',
  validateSearch: readTab,
  staticData: { messages: 'features/administration' },
  loader: () => preloadMessages('features/administration'),
  component: lazyPage(() => import('#features/administration/components/AdministrationPage.tsx'), 'AdministrationPage'),
  notFoundComponent: NotFoundPage,
})

const profile = createRoute({
  getParentRoute: () => inside,
  path: '/user-settings',
  staticData: { messages: 'features/profile' },
  loader: () => preloadMessages('features/profile'),
  component: lazyPage(() => import('#features/profile/components/ProfilePage.tsx'), 'ProfilePage'),
})

type Opened = { readonly context: Context; readonly location: { readonly href: string } }
const openRepository = async (id: string, { context, location }: Opened): Promise<never> =>
  (await loadCreation()).openRepository(context.queryClient, id, location.href)

const repository = createRoute({
  getParentRoute: () => root,
  path: '/$repoId',
  beforeLoad: ({ params, ...opened }) => openRepository(params.repoId, opened),
})

const repositoryInParts = createRoute({
  getParentRoute: () => root,
  path: '/$owner/$name',
  beforeLoad: ({ params: { owner, name }, ...opened }) => openRepository(`${owner}/${name}`, opened),
})

export const routeTree = root.addChildren([
  signIn,
  hostingSignIn,
  providerCallback,
  secondFactor,
  repository,
  repositoryInParts,
  inside.addChildren([
    home,
    newDataset,
    newFromHub,
    dataset,
    annotation,
    importRecords,
    settings,
    administration,
    profile,
    guides,
  ]),
])
