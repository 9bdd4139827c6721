import { datasetsWithAssignments } from '#features/assignments/public.ts'
import { othersAnswerAssigned } from '#features/queue/public.ts'
import { countAssignedToOthers } from '#features/search/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'

type Counted = { readonly id: string; readonly no: number; readonly queue: { readonly [key: string]: unknown } | null }

/**
 * Counts, by dataset number, the unanswered records that are missing from the user's queue because they are assigned to other
 * people. Datasets without such records may be missing from the result.
 */
export const assignedToOthers = async (
  db: Db,
  user: Actor,
  datasets: readonly Counted[],
): Promise<ReadonlyMap<number, number>> => {
  const exclusive = datasets.filter((dataset) => !othersAnswerAssigned(dataset))
  const counts = new Map<number, number>()
  for (const { id, no } of await datasetsWithAssignments(db, exclusive))
    counts.set(no, await countAssignedToOthers(db, { user, dataset_id: id }))
  return counts
}
