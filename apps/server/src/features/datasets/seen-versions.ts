import type { TextChanges } from '@postil/contract/schema-versions.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { printTime } from '#platform/time.ts'
import { datasetPolicy } from './policy.ts'
import { findDataset } from './rows.ts'
import { changedTexts, isTextChange, schemaVersions, versionsAfter, versionsByTime } from './schema-versions.ts'

/**
 * The version whose texts a person knows: the last one that they have confirmed, or the one that was current when they first
 * answered. Null if they have done neither.
 */
const seenVersion = async (db: Db, datasetNo: number, userId: string): Promise<number | null> => {
  const [seen, began] = await pipeline([
    db.sql
      .selectFrom('seen_versions')
      .select('version_no')
      .where('dataset_no', '=', datasetNo)
      .where('user_id', '=', userId)
      .executeTakeFirst(),
    db.sql
      .selectFrom('dataset_users')
      .select('inserted_at')
      .where('dataset_no', '=', datasetNo)
      .where('user_id', '=', userId)
      .executeTakeFirst(),
  ])
  if (seen !== undefined) return seen.version_no
  return began === undefined ? null : (await versionsByTime(db, datasetNo))(began.inserted_at)
}

/**
 * How the texts have changed since the version that the person knows. Null if they are the same, or if the person doesn't know
 * any version.
 */
export const unseenTexts = async (db: Db, datasetNo: number, userId: string): Promise<TextChanges | null> => {
  const seen = await seenVersion(db, datasetNo, userId)
  if (seen === null) return null
  const versions = (await versionsAfter(db, datasetNo, seen)).filter(({ changes }) => changes.some(isTextChange))
  const last = versions.at(-1)
  if (last === undefined) return null
  const texts = changedTexts(versions)
  if (texts.guidelines === null && texts.descriptions.length === 0) return null
  return { version: last.no, at: printTime(last.at), ...texts }
}

type OfDataset = { readonly user: Actor; readonly dataset_id: string }

/** @throws Problem not_found, forbidden */
export const ownUnseenTexts = query(
  'schema-versions.seen',
  async (db, { user, dataset_id }: OfDataset): Promise<{ readonly text_changes: TextChanges | null }> => {
    const dataset = await findDataset(db, dataset_id, user.id)
    if (!datasetPolicy.get(user, dataset)) throw forbidden()
    return { text_changes: await unseenTexts(db, dataset.no, user.id) }
  },
)

type SeeArgs = OfDataset & { readonly body: { readonly version: number } }

/**
 * Stores the latest version of the guidelines and descriptions that a person has seen. Doesn't replace a higher version number
 * with a lower one.
 * @throws Problem not_found, forbidden
 */
export const seeVersion = command(
  'schema-versions.see',
  async (db, { user, dataset_id, body }: SeeArgs): Promise<{ readonly version: number }> => {
    const dataset = await findDataset(db, dataset_id, user.id, 'hold')
    if (!datasetPolicy.get(user, dataset)) throw forbidden()
    const [newest] = await schemaVersions(db, dataset.no, 1)
    const version_no = Math.min(body.version, newest?.no ?? 0)
    const { version_no: version } = await db.sql
      .insertInto('seen_versions')
      .values({ dataset_no: dataset.no, user_id: user.id, version_no })
      .onConflict((c) =>
        c.columns(['dataset_no', 'user_id']).doUpdateSet((eb) => ({
          version_no: eb
            .case()
            .when('seen_versions.version_no', '>', eb.ref('excluded.version_no'))
            .then(eb.ref('seen_versions.version_no'))
            .else(eb.ref('excluded.version_no'))
            .end(),
        })),
      )
      .returning('version_no')
      .executeTakeFirstOrThrow()
    return { version }
  },
)
