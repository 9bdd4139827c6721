import { SavedViewCreate } from '@postil/contract/saved-views.ts'
import type { AppContext } from '#context.ts'
import { type AdoptedView, adoptViews, type ViewLeftOut } from '#features/saved-views/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { People } from './people.ts'
import type { PlannedDataset } from './plan.ts'

/**
 * Copies the saved views of a dataset that exists here. @returns the views that were left out. @throws MigrationError, Problem
 */
export const copyViews = async (
  { store }: AppContext,
  { source: { id: dataset_id }, views }: PlannedDataset,
  { people, user }: { readonly people: People; readonly user: Actor },
): Promise<readonly ViewLeftOut[]> => {
  const ready: AdoptedView[] = []
  const leftOut: ViewLeftOut[] = []
  for (const { user: author, ...view } of views) {
    const content = SavedViewCreate.safeParse(view)
    const user_id = await people.localId(author.id)
    const skip = (reason: string) => leftOut.push({ name: view.name, reason })
    if (!content.success) skip(content.error.issues[0]?.message ?? 'it is not a valid view')
    else if (user_id === null) skip(`its author ${author.id} is not a user on the source server`)
    else ready.push({ ...view, user_id })
  }
  if (ready.length === 0) return leftOut
  return [...leftOut, ...(await store.write(adoptViews, { user, dataset_id, views: ready }))]
}
