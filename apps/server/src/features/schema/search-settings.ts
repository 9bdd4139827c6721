import type { SearchSettings } from '@postil/contract/search-settings.ts'
import { beginTextRebuild } from '#features/jobs/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import { lockedDataset, readableDataset } from './scope.ts'

type InDataset = { readonly user: Actor; readonly dataset_id: string }

const ignoresAccents = async (db: Db, id: string): Promise<boolean> => {
  const { ignores_accents } = await db.sql
    .selectFrom('datasets')
    .select('ignores_accents')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return ignores_accents
}

export const searchSettings = async (db: Db, datasetId: string): Promise<SearchSettings> => ({
  ignore_accents: await ignoresAccents(db, datasetId),
})

/** @throws Problem not_found, forbidden */
export const getSearchSettings = query(
  'search-settings.get',
  async (db, { user, dataset_id }: InDataset): Promise<SearchSettings> => {
    await readableDataset(db, dataset_id, user)
    return searchSettings(db, dataset_id)
  },
)

const store = async (db: Db, dataset: { readonly id: string; readonly no: number }, ignores: boolean): Promise<void> => {
  if ((await ignoresAccents(db, dataset.id)) === ignores) return
  await db.sql.updateTable('datasets').set({ ignores_accents: ignores }).where('id', '=', dataset.id).execute()
  await beginTextRebuild(db, dataset.no)
}

/**
 * Changes the search settings. The new settings apply immediately, because searches read the records themselves until the text
 * index is rebuilt. @throws Problem not_found, forbidden
 */
export const setSearchSettings = command(
  'search-settings.set',
  async (db, { user, dataset_id, body }: InDataset & { readonly body: SearchSettings }): Promise<SearchSettings> => {
    const dataset = await lockedDataset(db, dataset_id, user)
    await store(db, dataset, body.ignore_accents)
    return { ignore_accents: body.ignore_accents }
  },
)

/** Stores search settings that were copied from another server. Called inside another feature's command. */
export const adoptSearchSettings = (
  db: Db,
  dataset: { readonly id: string; readonly no: number },
  { ignore_accents }: SearchSettings,
): Promise<void> => store(db, dataset, ignore_accents)
