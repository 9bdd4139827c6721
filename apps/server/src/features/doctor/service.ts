import { recount } from '#features/records/public.ts'
import type { Difference } from '#features/responses/public.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { checkFiles, type FileReport } from './check-files.ts'
import { type CheckedDataset, listDatasets } from './queries.ts'

type Ctx = { readonly store: Store; readonly config: Config }
export type CheckResult = CheckedDataset & {
  readonly differences: readonly Omit<Difference, 'dataset_no'>[]
  readonly files: FileReport
}

/** All datasets that can be examined. */
export const datasetsToCheck = (ctx: Ctx): Promise<readonly CheckedDataset[]> =>
  ctx.store.read(listDatasets, {}, { lane: 'slow' })

/**
 * Recounts everything in a dataset and checks the files that its records refer to. Reads the whole dataset while users keep
 * working.
 */
export const checkDataset = async (ctx: Ctx, dataset: CheckedDataset): Promise<CheckResult> => ({
  ...dataset,
  files: await checkFiles(ctx, dataset),
  differences: (await recount(ctx, dataset.no)).map(({ dataset_no: _, ...difference }) => difference),
})
