import { lazyPart } from '#ui/waiting/lazy-part.ts'

/** The view of several records is code of its own. */
export const BulkView = lazyPart(() => import('./BulkView.tsx').then((module) => ({ default: module.BulkView })), {
  isAskedFor: true,
})
