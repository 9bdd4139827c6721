import { recount } from '#features/records/public.ts'
import type { Difference } from '#features/responses/public.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { fileStore } from '#platform/files/file-store.ts'
import { type CheckedDataset, largeAnswers, listDatasets, type NamedFiles, namedFiles } from './queries.ts'

/** The number of files that the records refer to, and the paths of missing files. */
type FileReport = { readonly named: number; readonly missing: readonly string[] }

/** Maximum number of missing files to list. */
const MAX_REPORTED = 100

/** Checks every file that a record of the dataset refers to. @throws FileStoreFault when the file store can't be reached */
const checkFiles = async (
  { store, config }: { readonly store: Store; readonly config: Config },
  { no, id }: CheckedDataset,
): Promise<FileReport> => {
  const files = await fileStore(config)
  let own: Set<string> | null = null
  /** Whether files of other datasets exist, keyed by path. Copied records may refer to such files. */
  const checkedBefore = new Map<string, boolean>()
  const named = new Set<string>()
  const missing = new Set<string>()
  for (let after: number | null = -1; after !== null; ) {
    const page: NamedFiles = await store.read(namedFiles, { no, after }, { lane: 'slow' })
    for (const { dataset_id, name, path } of page.files) {
      named.add(path)
      if (dataset_id === id) {
        own ??= new Set(await Array.fromAsync(files.list(id)))
        if (!own.has(name)) missing.add(path)
        continue
      }
      const exists: boolean = checkedBefore.get(path) ?? (await files.open(dataset_id, name)) !== null
      checkedBefore.set(path, exists)
      if (!exists) missing.add(path)
    }
    after = page.last
  }
  return { named: named.size, missing: [...missing].slice(0, MAX_REPORTED) }
}

type Ctx = { readonly store: Store; readonly config: Config }
export type CheckResult = CheckedDataset & {
  readonly differences: readonly Omit<Difference, 'dataset_no'>[]
  readonly files: FileReport
  /**
   * The number of answers and suggested values that exceed POSTIL_MAX_ANSWER. Clients can read these values, but can't send them
   * back unchanged.
   */
  readonly largeAnswers: number
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
  largeAnswers: await ctx.store.read(largeAnswers, { no: dataset.no, limit: ctx.config.maxAnswer }, { lane: 'slow' }),
  differences: (await recount(ctx, dataset.no)).map(({ dataset_no: _, ...difference }) => difference),
})
