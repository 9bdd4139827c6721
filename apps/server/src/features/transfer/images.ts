import { type FileAddress, filesMentionedIn } from '@postil/contract/files/stored-file-names.ts'
import type { AppContext } from '#context.ts'
import { keepNamedImage } from '#features/pictures/service.ts'
import { fileStore } from '#platform/files/file-store.ts'
import { expectImages } from './commands.ts'
import type { Plan } from './plan.ts'
import type { Holdings } from './queries.ts'
import type { SourceClient } from './source/client.ts'
import type { SourceRecord } from './source/shapes.ts'

const AT_ONCE = 6

/** The stored images that a record names, wherever it does. */
export const imagesOf = ({ fields, metadata }: SourceRecord): readonly FileAddress[] =>
  filesMentionedIn(JSON.stringify([fields, metadata]))

type Place = { readonly here: Holdings; readonly plan: Plan }

/** The stored images of a source, as they become files here. Datasets keep their ids, so the addresses of images do not change. */
export class Images {
  readonly #ctx: AppContext
  readonly #client: SourceClient
  /** Datasets that are here, or will be. */
  readonly #datasets: ReadonlySet<string>
  /** Files of a dataset that were here before. */
  readonly #standing = new Map<string, Promise<ReadonlySet<string>>>()
  readonly #expected = new Map<string, Promise<void>>()
  /** By paths: why a file is not here, null where it is. */
  readonly #faults = new Map<string, string | null>()
  made = 0

  constructor(ctx: AppContext, client: SourceClient, { here, plan }: Place) {
    this.#ctx = ctx
    this.#client = client
    const standing = here.datasets.filter(({ gone }) => !gone)
    this.#datasets = new Set([...standing.map(({ id }) => id), ...plan.datasets.map(({ source: { id } }) => id)])
  }

  async #list(dataset_id: string): Promise<ReadonlySet<string>> {
    return new Set(await Array.fromAsync((await fileStore(this.#ctx.config)).list(dataset_id)))
  }

  /** @returns why it is not here afterwards */
  async #bring({ path, dataset_id, name }: FileAddress): Promise<string | null> {
    if (!this.#datasets.has(dataset_id)) return `it is a file of the dataset ${dataset_id}, which is not copied`
    const standing = this.#standing.get(dataset_id) ?? this.#list(dataset_id)
    this.#standing.set(dataset_id, standing)
    if ((await standing).has(name)) return null
    const bytes = await this.#client.getFile(path.slice('/api/v1'.length))
    if (bytes === null) return 'the source does not have it'
    // NOTE: files are kept before the records that name them, which may not come
    const expected = this.#expected.get(dataset_id) ?? this.#ctx.store.write(expectImages, { dataset_id })
    this.#expected.set(dataset_id, expected)
    await expected
    if (!(await keepNamedImage(this.#ctx.config, { dataset_id, name }, bytes)))
      return 'what the source sends is not the file of that name'
    this.made += 1
    return null
  }

  /**
   * Fetches those that are not here yet, several at once.
   * @returns why one is not here, by its path
   * @throws TransferError where the source cannot be read, FileStoreFault where they are kept
   */
  async bring(files: readonly FileAddress[]): Promise<ReadonlyMap<string, string | null>> {
    const waiting = [...new Map(files.map((file) => [file.path, file])).values()].filter(({ path }) => !this.#faults.has(path))
    const work = async (): Promise<void> => {
      for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
        this.#faults.set(file.path, await this.#bring(file))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return this.#faults
  }

  /** How many of some files are here now. @throws FileStoreFault */
  async countHere(files: Iterable<FileAddress>): Promise<number> {
    let here = 0
    for (const [dataset_id, some] of Map.groupBy(files, (file) => file.dataset_id)) {
      const names = await this.#list(dataset_id)
      here += some.filter(({ name }) => names.has(name)).length
    }
    return here
  }
}
