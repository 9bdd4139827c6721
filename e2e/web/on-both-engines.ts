const filesOf = (names: readonly string[]): readonly string[] => names.map((name) => `e2e/web/${name}.e2e.ts`)

/** Tests of screens that depend on the engine. They run on both engines. All other tests run on one. */
export const onBothEngines = filesOf([
  'accounts/administration-server',
  'annotate/annotate-queue',
  'annotate/late-confirmations',
  'bulk/bulk-matched',
  'create/file-formats',
  'filters/similarity',
  'home/jobs',
  'offline/outbox-sync',
])

/** Tests of how the page handles responses that are the same for both engines. Full runs repeat them on PostgreSQL. */
export const repeatedInFullRuns = filesOf([
  'accounts/second-factor-required',
  'offline/annotate-outbox',
  'offline/server-unreachable',
])
