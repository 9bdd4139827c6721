import { preloadMessages } from '#i18n/setup.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'

export { useDeletedBy } from './use-deleted-by.ts'

/** Replaces the screen of a dataset that was deleted while it was open. */
export const DeletedDataset = lazyPart(
  async () => {
    const [module] = await Promise.all([import('./DeletedDataset.tsx'), preloadMessages('features/deleted-dataset')])
    return { default: module.DeletedDataset }
  },
  { reportsFailure: true },
)
