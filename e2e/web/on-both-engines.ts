/** Screens that show what the store does by itself, by the names of their tests: they are looked at on both engines, and all others on one. */
export const onBothEngines = [
  'accounts/administration-server',
  'accounts/second-factor-required',
  'annotate/annotate-queue',
  'annotate/taken-meanwhile',
  'bulk/bulk-matched',
  'create/files-in',
  'filters/similarity',
  'home/jobs',
  'offline/annotate-outbox',
  'offline/outbox-sync',
  'offline/server-away',
].map((name) => `e2e/web/${name}.e2e.ts`)
