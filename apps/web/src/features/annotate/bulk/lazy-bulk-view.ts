import { lazyPart } from '#ui/loading/lazy-part.ts'

/** The bulk view is loaded separately. */
export const BulkView = lazyPart(() => import('./BulkView.tsx').then((module) => ({ default: module.BulkView })), {
  reportsFailure: true,
})
