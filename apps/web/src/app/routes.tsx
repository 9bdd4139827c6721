import { validateAnnotationSearch } from '@postil/contract/annotation-query/annotation-params.ts'
import type { User } from '@postil/contract/people/users.ts'
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router'
import {
  fetchProviders,
  findUser,
  requireHosting,
  requireProviderAnswer,
  requireSecondFactorDue,
  requireSession,
  requireSignedOut,
} from '#features/auth/public.ts'
import { homeQuery } from '#features/home/public.ts'
import { preloadMessages } from '#i18n/setup.ts'
import { loadFile } from '#lib/net/load-file.ts'
import { validateCreationSearch } from '#lib/url/creation-search.ts'
import { validateHomeSearch } from '#lib/url/home-search.ts'
import { validateModelsSearch } from '#lib/url/models-search.ts'
import { validateOverviewSearch } from '#lib/url/overview-search.ts'
import { validateRecordsSearch } from '#lib/url/records-search.ts'
import { validateReviewSearch } from '#lib/url/review-search.ts'
import { signInToken } from '#lib/url/sign-in-link.ts'
import { lazyPage } from './lazy-page.ts'
import { NotFoundPage } from './NotFoundPage.tsx'
import { AnnotationPending, SessionPending } from './PagePending.tsx'
import './route-data.ts'
import { RootShell } from './shell/RootShell.tsx'

type Context = { readonly queryClient: QueryClient }
type SignInSearch = { readonly omitCTA?: string; readonly link?: string }

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Reads a page's open tab from the URL query. */
const readTab = (raw: { readonly [key: string]: unknown }): { readonly tab?: string } => {
  const tab = text(raw['tab'])
  return tab === undefined ? {} : { tab }
}

const root = createRootRouteWithContext<Context>()({ component: RootShell })

/**
 * Inside the shell, placeholders keep the layout of pages stable. Without the shell, there is no layout to keep. A placeholder
 * therefore appears only after a second. A longer wait means that the server isn't responding.
 */
const withoutShell = { pendingComponent: SessionPending, pendingMs: 1000 }

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  ...withoutShell,
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

/** Pages that users open through a link from an owner or admin. Users who are already signed in can open them, too. */
const accountLink = {
  ...withoutShell,
  staticData: { messages: 'features/auth' },
  loader: async ({ context }: { context: Context }) => {
    const [user] = await Promise.all([findUser(context.queryClient), preloadMessages('features/auth')])
    return { user }
  },
}

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  ...accountLink,
  component: lazyPage(() => import('#features/auth/components/InvitationPage.tsx'), 'InvitationPage'),
})

const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/new-password',
  ...accountLink,
  component: lazyPage(() => import('#features/auth/components/NewPasswordPage.tsx'), 'NewPasswordPage'),
})

const hostingSignIn = createRoute({
  getParentRoute: () => root,
  path: '/welcome-hf-sign-in',
  ...withoutShell,
  beforeLoad: ({ context }) => requireHosting(context.queryClient),
  ...withProviders,
  component: lazyPage(() => import('#features/auth/components/HostingSignInPage.tsx'), 'HostingSignInPage'),
})

const providerCallback = createRoute({
  getParentRoute: () => root,
  path: '/oauth/$provider/callback',
  ...withoutShell,
  beforeLoad: ({ search }) => requireProviderAnswer(search),
  ...withProviders,
  component: lazyPage(() => import('#features/auth/components/ProviderCallbackPage.tsx'), 'ProviderCallbackPage'),
})

const secondFactor = createRoute({
  getParentRoute: () => root,
  path: '/second-factor',
  ...withoutShell,
  staticData: { messages: 'features/auth' },
  loader: async ({ context }) => {
    const due = await requireSecondFactorDue(context.queryClient)
    await preloadMessages('features/auth', 'features/second-factor')
    return { due }
  },
  component: lazyPage(() => import('#features/auth/components/SecondFactorPage.tsx'), 'SecondFactorPage'),
})

const signedInArea = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  ...withoutShell,
  beforeLoad: async ({ context, location }) => ({ user: await requireSession(context.queryClient, location.href) }),
  component: lazyPage(() => import('./shell/SignedInShell.tsx'), 'SignedInShell'),
})

const home = createRoute({
  getParentRoute: () => signedInArea,
  path: '/',
  validateSearch: validateHomeSearch,
  staticData: {
    messages: 'features/home',
    prefetch: async ({ queryClient, sessionCheck }) => {
      if (await sessionCheck) await queryClient.prefetchQuery(homeQuery())
    },
  },
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(homeQuery())
    return preloadMessages('features/home', 'features/hub', 'type-names')
  },
  component: lazyPage(() => import('#features/home/components/HomePage.tsx'), 'HomePage'),
})

const importAnnotation = () => import('#features/annotate/public.ts')
const loadAnnotation = () => loadFile(importAnnotation)

const annotation = createRoute({
  getParentRoute: () => signedInArea,
  path: '/dataset/$datasetId/annotation-mode',
  validateSearch: validateAnnotationSearch,
  beforeLoad: ({ context, params, location }) => {
    // `completed` is a status of records, but the annotation screen filters by the status of the user's own answers. The records
    // page can filter by `completed`.
    const { status } = location.search as { readonly status?: unknown }
    if (status === 'completed' && context.user.role !== 'annotator')
      throw redirect({ to: '/dataset/$datasetId/records', params, search: { status }, replace: true })
  },
  staticData: {
    messages: 'features/annotate',
    prefetch: async ({ queryClient, params, search, sessionCheck }) => {
      const [{ prefetchAnnotation }, signedIn] = await Promise.all([loadAnnotation(), sessionCheck])
      if (signedIn)
        await prefetchAnnotation(queryClient, params['datasetId'] ?? '', validateAnnotationSearch(search), { leaseRecords: true })
    },
  },
  loader: async ({ context, params, location, cause }) => {
    const { loadAnnotationMessages, prefetchAnnotation, prepareAnnotation } = await loadAnnotation()
    const { queryClient, user } = context
    const { datasetId } = params
    const search = validateAnnotationSearch(location.search)
    // Entering the page loads everything. Later changes to the URL load nothing, because the URL changes with every record.
    const visit = {
      preload: () => prefetchAnnotation(queryClient, datasetId, search, { leaseRecords: false }),
      enter: () => prepareAnnotation(queryClient, { datasetId, userId: user.id, search }),
      stay: () => null,
    }
    await Promise.all([loadAnnotationMessages(), visit[cause]()])
  },
  component: lazyPage(() => import('#features/annotate/AnnotatePage.tsx'), 'AnnotatePage'),
  pendingComponent: AnnotationPending,
  notFoundComponent: NotFoundPage,
})

/** The address of a dataset in its breadcrumb and in external links. It redirects to the annotation screen. */
const dataset = createRoute({
  getParentRoute: () => signedInArea,
  path: '/dataset/$datasetId',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/dataset/$datasetId/annotation-mode', params, replace: true })
  },
})

const ofDataset = { getParentRoute: () => signedInArea, notFoundComponent: NotFoundPage }

const loadRecords = () => loadFile(() => import('#features/records/public.ts'))

/** All records of a dataset, for owners and admins. */
const records = createRoute({
  ...ofDataset,
  path: '/dataset/$datasetId/records',
  validateSearch: validateRecordsSearch,
  staticData: { messages: 'features/records' },
  loader: async () => (await loadRecords()).loadRecordsMessages(),
  component: lazyPage(() => import('#features/records/RecordsPage.tsx'), 'RecordsPage'),
})

const ofReview = {
  getParentRoute: () => signedInArea,
  staticData: { messages: 'features/review' },
  loader: async () => (await loadFile(() => import('#features/review/public.ts'))).loadReviewMessages(),
  notFoundComponent: NotFoundPage,
}

/** The review page, on which a reviewer chooses the final answers of records. */
const review = createRoute({
  ...ofReview,
  path: '/dataset/$datasetId/review',
  validateSearch: validateReviewSearch,
  component: lazyPage(() => import('#features/review/ReviewPage.tsx'), 'ReviewPage'),
})

/** The user's answers that differ from the final answers. */
const corrections = createRoute({
  ...ofReview,
  path: '/dataset/$datasetId/corrections',
  component: lazyPage(() => import('#features/review/CorrectionsPage.tsx'), 'CorrectionsPage'),
})

/** What happened in a dataset, for owners and admins. */
const overview = createRoute({
  ...ofDataset,
  path: '/dataset/$datasetId/overview',
  validateSearch: validateOverviewSearch,
  staticData: { messages: 'features/overview' },
  loader: async () => {
    const [{ loadOverviewMessages }, { loadRecordsMessages }] = await Promise.all([
      loadFile(() => import('#features/overview/public.ts')),
      loadRecords(),
    ])
    await Promise.all([loadOverviewMessages(), loadRecordsMessages()])
  },
  component: lazyPage(() => import('#features/overview/OverviewPage.tsx'), 'OverviewPage'),
})

/** The page for runs in which models answer a dataset's records. For owners and admins. */
const models = createRoute({
  ...ofDataset,
  path: '/dataset/$datasetId/models',
  validateSearch: validateModelsSearch,
  staticData: { messages: 'features/models' },
  loader: async () => (await loadFile(() => import('#features/models/public.ts'))).loadModelsMessages(),
  component: lazyPage(() => import('#features/models/ModelsPage.tsx'), 'ModelsPage'),
})

/** The address of a record. It leads to the page on which the user can see the record. */
const record = createRoute({
  ...ofDataset,
  path: '/dataset/$datasetId/record/$recordId',
  loader: async ({ context, params }) =>
    (await loadRecords()).openRecord(context.queryClient, { ...params, seesAll: context.user.role !== 'annotator' }),
})

const settings = createRoute({
  getParentRoute: () => signedInArea,
  path: '/dataset/$datasetId/settings',
  validateSearch: readTab,
  staticData: { messages: 'features/settings' },
  loader: async () => (await loadFile(() => import('#features/settings/public.ts'))).loadSettingsMessages(),
  component: lazyPage(() => import('#features/settings/components/SettingsPage.tsx'), 'SettingsPage'),
  notFoundComponent: NotFoundPage,
})

const importCreation = () => import('#features/create/public.ts')
const loadCreation = () => loadFile(importCreation)
const importCreationPages = () => import('#features/create/pages.ts')

/** Pages that create and fill datasets, for owners and admins. */
const creationRoute = {
  staticData: { messages: 'features/create' },
  loader: async ({ context }: { context: { user: User } }) => (await loadCreation()).requireCreator(context.user),
  notFoundComponent: NotFoundPage,
}

const newDataset = createRoute({
  getParentRoute: () => signedInArea,
  path: '/new/{-$datasetId}',
  validateSearch: validateCreationSearch,
  ...creationRoute,
  component: lazyPage(importCreationPages, 'NewDatasetPage'),
})

/** Redirects to the page that creates a dataset if the Hub dataset ID in the URL contains an unescaped slash. */
const newFromHub = createRoute({
  getParentRoute: () => signedInArea,
  path: '/new/$owner/$name',
  beforeLoad: ({ params: { owner, name }, search }) => {
    throw redirect({ to: '/new/{-$datasetId}', params: { datasetId: `${owner}/${name}` }, search, replace: true })
  },
})

const importRecords = createRoute({
  getParentRoute: () => signedInArea,
  path: '/dataset/$datasetId/import',
  ...creationRoute,
  component: lazyPage(importCreationPages, 'ImportPage'),
})

const guides = createRoute({
  getParentRoute: () => signedInArea,
  path: '/guides',
  staticData: { messages: 'features/guides' },
  loader: () => preloadMessages('features/guides'),
  component: lazyPage(() => import('#features/guides/components/GuidesPage.tsx'), 'GuidesPage'),
})

const document = createRoute({
  getParentRoute: () => signedInArea,
  path: '/guides/$document',
  staticData: { messages: 'features/guides' },
  loader: () => preloadMessages('features/guides'),
  component: lazyPage(() => import('#features/guides/components/DocumentPage.tsx'), 'DocumentPage'),
  notFoundComponent: NotFoundPage,
})

const administration = createRoute({
  getParentRoute: () => signedInArea,
  path: '/administration',
  validateSearch: readTab,
  staticData: { messages: 'features/administration' },
  loader: () => preloadMessages('features/administration'),
  component: lazyPage(() => import('#features/administration/components/AdministrationPage.tsx'), 'AdministrationPage'),
  notFoundComponent: NotFoundPage,
})

const profile = createRoute({
  getParentRoute: () => signedInArea,
  path: '/user-settings',
  staticData: { messages: 'features/profile' },
  loader: () => preloadMessages('features/profile'),
  component: lazyPage(() => import('#features/profile/components/ProfilePage.tsx'), 'ProfilePage'),
})

type RouteContext = { readonly context: Context; readonly location: { readonly href: string } }
const openRepository = async (id: string, { context, location }: RouteContext): Promise<never> =>
  (await loadCreation()).openRepository(context.queryClient, id, location.href)

const repository = createRoute({
  getParentRoute: () => root,
  path: '/$repoId',
  beforeLoad: ({ params, ...routeContext }) => openRepository(params.repoId, routeContext),
})

const repositoryByOwner = createRoute({
  getParentRoute: () => root,
  path: '/$owner/$name',
  beforeLoad: ({ params: { owner, name }, ...routeContext }) => openRepository(`${owner}/${name}`, routeContext),
})

export const routeTree = root.addChildren([
  signIn,
  invitation,
  newPassword,
  hostingSignIn,
  providerCallback,
  secondFactor,
  repository,
  repositoryByOwner,
  signedInArea.addChildren([
    home,
    newDataset,
    newFromHub,
    dataset,
    annotation,
    importRecords,
    records,
    review,
    corrections,
    overview,
    models,
    record,
    settings,
    administration,
    profile,
    guides,
    document,
  ]),
])
