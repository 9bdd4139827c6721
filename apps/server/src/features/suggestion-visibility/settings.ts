import type { SuggestionSettings } from '@postil/contract/suggestion-settings.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import { datasetFor, lockDatasetFor, mayChange, maySee } from '#features/datasets/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import { hidingRuleFor, type SuggestionRule, suggestionRuleOf } from './rule.ts'

type InDataset = { readonly user: Actor; readonly dataset_id: string }

const ruleOfDataset = prepared((db, { datasetId }: { readonly datasetId: string }) =>
  db.sql.selectFrom('datasets').select('suggestion_rule').where('id', '=', datasetId),
)

/** The rule by which a dataset's suggestions are hidden from a user; null if the user sees all of them. */
export const hidingRule = async (db: Db, datasetId: string, user: Actor): Promise<SuggestionRule | null> => {
  const [row] = await ruleOfDataset(db, { datasetId })
  return row === undefined ? null : hidingRuleFor(user, row)
}

/** @throws Problem not_found, forbidden */
export const getSuggestionSettings = query(
  'suggestion-settings.get',
  async (db, { user, dataset_id }: InDataset): Promise<SuggestionSettings> => {
    const dataset = await datasetFor(db, dataset_id, user)
    if (!maySee(user, dataset)) throw forbidden()
    return suggestionRuleOf(dataset)
  },
)

const storeSettings = async (db: Db, id: string, { show, blind_share }: SuggestionSettings): Promise<void> => {
  await db.sql
    .updateTable('datasets')
    .set({ suggestion_rule: json({ show, blind_share }) })
    .where('id', '=', id)
    .execute()
}

/** @throws Problem not_found, forbidden */
export const setSuggestionSettings = command(
  'suggestion-settings.set',
  async (db, { user, dataset_id, body }: InDataset & { readonly body: SuggestionSettings }): Promise<SuggestionSettings> => {
    if (!mayChange(user, await lockDatasetFor(db, dataset_id, user))) throw forbidden()
    await storeSettings(db, dataset_id, body)
    return body
  },
)

/**
 * Adopts settings from another server, inside another feature's command. Settings have no timestamp, so the incoming settings
 * replace the existing ones, unless the incoming settings are the defaults.
 */
export const adoptSuggestionSettings = async (db: Db, id: string, settings: SuggestionSettings): Promise<void> => {
  if (settings.show !== 'always' || settings.blind_share > 0) await storeSettings(db, id, settings)
}
