const filesOf = (names: readonly string[]): readonly string[] => names.map((name) => `e2e/web/${name}.e2e.ts`)
const filesIn = (folder: string, ...names: readonly string[]) => filesOf(names.map((name) => `${folder}/${name}`))

/** Tests that run on both engines, because their screens depend on the engine. All other tests run on one engine. */
export const onBothEngines = filesOf(['annotate/annotate-queue'])

/**
 * Tests of how the page handles responses. Either both engines return the same responses, or the server's own tests check the
 * responses on both engines. Full runs repeat these tests on PostgreSQL.
 */
export const repeatedInFullRuns = filesOf([
  'accounts/administration-server',
  'accounts/second-factor-required',
  'annotate/late-confirmations',
  'bulk/bulk-matched',
  'create/file-formats',
  'filters/similarity',
  'home/jobs',
  'offline/annotate-outbox',
  'offline/outbox-sync',
  'offline/server-unreachable',
])

/**
 * Tests of details. Daily runs leave these tests out, because the remaining test files exercise the same code paths. For each
 * group, `docs/test-runs.md` lists the remaining test files.
 */
export const onlyInFullRuns = [
  ...filesIn(
    'accounts',
    'administration-forms',
    'providers',
    'second-factor-required',
    'session-ends',
    'username-whitespace',
    'webhooks',
  ),
  ...filesIn(
    'annotate',
    'active-time',
    'annotate-frame',
    'annotate-list',
    'annotate-ranking',
    'announcements',
    'input-methods',
    'label-search',
    'lease-release',
    'page-height',
    'queue-position',
    'share-progress',
    'shortcut-settings',
    'small-windows',
  ),
  ...filesIn('bulk', 'bulk-outcomes', 'bulk-pages', 'list-header'),
  ...filesIn(
    'create',
    'create-failures',
    'create-form',
    'create-hub',
    'first-answer-all',
    'hub',
    'upload-in-parts',
    'wait-for-import',
  ),
  ...filesIn('fields', 'field-tables', 'large-texts', 'search-highlights', 'template-frame', 'text-directions'),
  ...filesIn('filters', 'filters-and-sort', 'saved-views'),
  ...filesIn('home', 'examples', 'home-many', 'home-start'),
  ...filesIn(
    'offline',
    'edits-of-own-answers',
    'late-translations',
    'network-errors',
    'offline-fields',
    'offline-lists',
    'reconnect',
    'slow-server',
  ),
  ...filesIn(
    'settings',
    'label-colours',
    'settings-changes',
    'settings-conflicts',
    'settings-deleted',
    'settings-opening',
    'settings-preview',
  ),
  ...filesIn(
    'shell',
    'error-codes',
    'focus-after-removal',
    'focus-visibility',
    'languages',
    'layout-consistency',
    'notices',
    'toasts',
  ),
  ...filesIn('spans', 'label-overlap', 'span-labels', 'span-offsets', 'spans-bidirectional', 'spans-in-chat'),
]
