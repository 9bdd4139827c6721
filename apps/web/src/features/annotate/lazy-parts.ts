import { lazyPart } from '#ui/loading/lazy-part.ts'

/* Parts of the focus view and the bulk view that the first record doesn't need. Without a network, a part that isn't loaded yet
   can't be shown. Parts that explain why records are missing are therefore loaded with the views. */

export const RejectedQuery = lazyPart(() =>
  import('./filters/RejectedQuery.tsx').then((module) => ({ default: module.RejectedQuery })),
)
export const NoRecord = lazyPart(() => import('./queue/NoRecord.tsx').then((module) => ({ default: module.NoRecord })))
export const FilterChips = lazyPart(() =>
  import('./filters/bar/FilterChips.tsx').then((module) => ({ default: module.FilterChips })),
)
export const SimilarityBar = lazyPart(() =>
  import('./similarity/SimilarityBar.tsx').then((module) => ({ default: module.SimilarityBar })),
)
export const IssueNotice = lazyPart(() =>
  import('./announcements/IssueNotice.tsx').then((module) => ({ default: module.IssueNotice })),
)
export const AnswerNotice = lazyPart(() =>
  import('./record/AnswerNotice.tsx').then((module) => ({ default: module.AnswerNotice })),
)
export const DeletedRecord = lazyPart(() =>
  import('./record/DeletedRecord.tsx').then((module) => ({ default: module.DeletedRecord })),
)
export const ReturnedNotice = lazyPart(() =>
  import('./record/ReturnedNotice.tsx').then((module) => ({ default: module.ReturnedNotice })),
)

/** Loads these parts, because they must be available offline. Rejects if the network fails. */
export const preloadParts = async (): Promise<void> => {
  await Promise.all(
    [RejectedQuery, NoRecord, FilterChips, SimilarityBar, IssueNotice, AnswerNotice, DeletedRecord, ReturnedNotice].map((part) =>
      part.preload(),
    ),
  )
}
