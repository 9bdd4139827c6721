import { type FileAddress, findFileAddresses } from '@postil/contract/files/stored-file-addresses.ts'
import type { AppContext } from '#context.ts'
import { storeNamedImage } from '#features/images/public.ts'
import { fileStore } from '#platform/files/file-store.ts'
import { expectImages } from './commands.ts'
import type { Plan } from './plan.ts'
import type { ExistingData } from './queries.ts'
import type { SourceClient } from './source/client.ts'
import type { SourceRecord } from './source/shapes.ts'

const MAX_CONCURRENT = 6

export const imagesOf = ({ fields, metadata }: SourceRecord): readonly FileAddress[] =>
  findFileAddresses(JSON.stringify([fields, metadata]))

type ImagesArgs = { readonly existing: ExistingData; readonly plan: Plan }

/** Copies stored images from a source to this server. Datasets keep their IDs, so image URLs don't change. */
export class Images {
  readonly #ctx: AppContext
  readonly #client: SourceClient
  /** Datasets that exist here or will be copied. */
  readonly #datasets: ReadonlySet<string>
  /** Files that existed here before the migration, keyed by dataset. */
  readonly #standing = new Map<string, Promise<ReadonlySet<string>>>()
  readonly #expected = new Map<string, Promise<void>>()
  /** For each path, the reason why the file is missing on this server. Null if the file exists. */
  readonly #faults = new Map<string, string | null>()
  made = 0

  constructor(ctx: AppContext, client: SourceClient, { existing, plan }: ImagesArgs) {
    this.#ctx = ctx
    this.#client = client
    const presentDatasets = existing.datasets.filter(({ gone }) => !gone)
    this.#datasets = new Set([...presentDatasets.map(({ id }) => id), ...plan.datasets.map(({ source: { id } }) => id)])
  }

  async #list(dataset_id: string): Promise<ReadonlySet<string>> {
    return new Set(await Array.fromAsync((await fileStore(this.#ctx.config)).list(dataset_id)))
  }

  /** @returns the reason why the file is still missing; null if it exists */
  async #bring({ path, dataset_id, name }: FileAddress): Promise<string | null> {
    if (!this.#datasets.has(dataset_id)) return `it belongs to the dataset ${dataset_id}, which is not being copied`
    const presentDatasets = this.#standing.get(dataset_id) ?? this.#list(dataset_id)
    this.#standing.set(dataset_id, presentDatasets)
    if ((await presentDatasets).has(name)) return null
    const bytes = await this.#client.getFile(path.slice('/api/v1'.length))
    if (bytes === null) return 'it is missing on the source server'
    // Images are stored before the records that reference them. If those records never arrive, a scheduled sweep removes the
    // images.
    const expected = this.#expected.get(dataset_id) ?? this.#ctx.store.write(expectImages, { dataset_id })
    this.#expected.set(dataset_id, expected)
    await expected
    if (!(await storeNamedImage(this.#ctx.config, { dataset_id, name }, bytes))) return 'the source server sent a different file'
    this.made += 1
    return null
  }

  /**
   * Fetches missing files, several concurrently.
   * @returns the reason why each file is still missing, keyed by path; null if the file exists
   * @throws MigrationError if the source can't be read, FileStoreFault if files can't be stored
   */
  async copy(files: readonly FileAddress[]): Promise<ReadonlyMap<string, string | null>> {
    const waiting = [...new Map(files.map((file) => [file.path, file])).values()].filter(({ path }) => !this.#faults.has(path))
    const work = async (): Promise<void> => {
      for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
        this.#faults.set(file.path, await this.#bring(file))
      }
    }
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, work))
    return this.#faults
  }

  /** Counts how many of the files exist on this server. @throws FileStoreFault */
  async countStored(files: Iterable<FileAddress>): Promise<number> {
    let existing = 0
    for (const [dataset_id, some] of Map.groupBy(files, (file) => file.dataset_id)) {
      const names = await this.#list(dataset_id)
      existing += some.filter(({ name }) => names.has(name)).length
    }
    return existing
  }
}
