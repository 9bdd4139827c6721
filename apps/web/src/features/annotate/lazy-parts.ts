import { lazyPart } from '#ui/loading/lazy-part.ts'

/* The parts of both views that the first record doesn't need. */

export const QueueEnd = lazyPart(() => import('./queue/QueueEnd.tsx').then((module) => ({ default: module.QueueEnd })))
export const SimilarityBar = lazyPart(() =>
  import('./similarity/SimilarityBar.tsx').then((module) => ({ default: module.SimilarityBar })),
)
export const Conflict = lazyPart(() => import('./record/Conflict.tsx').then((module) => ({ default: module.Conflict })))
export const DeletedRecord = lazyPart(() =>
  import('./record/DeletedRecord.tsx').then((module) => ({ default: module.DeletedRecord })),
)

/** Loads these parts, because they must be available offline. Rejects if the network fails. */
export const preloadParts = async (): Promise<void> => {
  await Promise.all([QueueEnd, SimilarityBar, Conflict, DeletedRecord].map((part) => part.preload()))
}
