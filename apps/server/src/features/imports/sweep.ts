import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { now } from '#platform/time.ts'
import { forgetImports } from './commands.ts'
import { RETENTION_US } from './print-file.ts'
import { knownImports } from './queries.ts'
import { removeUpload, uploadsBefore } from './uploads.ts'

type Ctx = { readonly store: Store; readonly config: Config }

/** Deletes uploads older than a day that aren't being imported, and reports of imports that ended more than a day ago. */
export const sweepUploads = async ({ store, config }: Ctx): Promise<void> => {
  const before = now() - RETENTION_US
  await store.write(forgetImports, { before })
  const old = await uploadsBefore(config, before / 1000)
  const known = new Set(await store.read(knownImports, { ids: old }))
  for (const id of old) if (!known.has(id)) await removeUpload(config, id)
}
