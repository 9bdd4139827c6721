import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { fileStore } from '#platform/files/file-store.ts'
import { type NamedFiles, namedFiles, type Patient } from './queries.ts'

/** Files that records name: how many there are, and the addresses of those that are not there. */
export type FileReport = { readonly named: number; readonly missing: readonly string[] }

/** Missing files that are told one by one. */
const TOLD = 100

/** Looks for every file that a record of the dataset names. @throws FileStoreFault where they are kept cannot be reached */
export const checkFiles = async (
  { store, config }: { readonly store: Store; readonly config: Config },
  { no, id }: Patient,
): Promise<FileReport> => {
  const files = await fileStore(config)
  let own: Set<string> | null = null
  /** Files that other datasets have: records were copied from there. */
  const elsewhere = new Map<string, boolean>()
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
      const isThere: boolean = elsewhere.get(path) ?? (await files.open(dataset_id, name)) !== null
      elsewhere.set(path, isThere)
      if (!isThere) missing.add(path)
    }
    after = page.last
  }
  return { named: named.size, missing: [...missing].slice(0, TOLD) }
}
