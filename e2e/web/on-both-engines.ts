/** Tests of screens that depend on the engine. They run on both engines, and all others on one. */
export const onBothEngines = [
  'accounts/administration-server',
  'accounts/second-factor-required',
  'annotate/annotate-queue',
  'annotate/late-confirmations',
  'bulk/bulk-matched',
  'create/file-formats',
  'filters/similarity',
  'home/jobs',
  'offline/annotate-outbox',
  'offline/outbox-sync',
  'offline/server-unreachable',
].map((name) => `e2e/web/${name}.e2e.ts`)
