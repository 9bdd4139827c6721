import type { Mention } from '@postil/contract/comments.ts'
import { authorOf, usernamesOf } from '#features/gold/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { isMember } from '#platform/auth/membership.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { printTime } from '#platform/time.ts'

/** The maximum number of people whom one comment can mention. */
const MAX_NAMES = 50
/** The maximum number of mentions that are listed. */
const MAX_LISTED = 100

const isWordCharacter = (character: string): boolean => /^[\p{L}\p{N}_]$/u.test(character)

/**
 * The names that follow an @ in a text. A period after a name can belong to the name, but usually ends the sentence. The result
 * therefore contains the name both with and without the period.
 */
export const namesIn = (text: string): readonly string[] => {
  const names = new Set<string>()
  for (const { index, 1: name = '' } of text.matchAll(/@([^\s@]+)/g)) {
    // The @ in an email address isn't a mention.
    if (isWordCharacter(text.charAt(index - 1))) continue
    const characters = [...name]
    names.add(name)
    names.add(characters.slice(0, characters.findLastIndex(isWordCharacter) + 1).join(''))
  }
  return [...names].filter((name) => name !== '').slice(0, 2 * MAX_NAMES)
}

/** The active users who are mentioned in a text and can see the dataset. */
export const mentionedIn = async (db: Db, datasetNo: number, text: string): Promise<readonly string[]> => {
  const names = namesIn(text)
  if (names.length === 0) return []
  const rows = await db.sql
    .selectFrom('users')
    .select('users.id')
    .where('username', 'in', names)
    .where('deactivated_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('role', '=', 'owner'),
        eb.exists(
          eb
            .selectFrom('memberships')
            .innerJoin('datasets', 'datasets.workspace_id', 'memberships.workspace_id')
            .select('memberships.user_id')
            .where('datasets.no', '=', datasetNo)
            .whereRef('memberships.user_id', '=', 'users.id'),
        ),
      ]),
    )
    .orderBy('username')
    .limit(MAX_NAMES)
    .execute()
  return rows.map(({ id }) => id)
}

/** The comments in open threads that mention the user, latest first. */
export const listMentions = query('comments.mentions', async (db, { user }: { readonly user: Actor }): Promise<Mention[]> => {
  const rows = await db.sql
    .selectFrom('mentions')
    .innerJoin('datasets', 'datasets.no', 'mentions.dataset_no')
    .select(['mentions.comment_id', 'mentions.record_id', 'mentions.by_id', 'mentions.at'])
    .select(['datasets.id as dataset_id', 'datasets.name as dataset_name'])
    .where('mentions.user_id', '=', user.id)
    .where('datasets.gone_at', 'is', null)
    .$if(user.role !== 'owner', (only) => only.where(isMember(user.id)))
    .orderBy('mentions.at', 'desc')
    .orderBy('mentions.comment_id')
    .limit(MAX_LISTED)
    .execute()
  const names = await usernamesOf(
    db,
    rows.map(({ by_id }) => by_id),
  )
  return rows.map(({ by_id, at, ...row }) => ({ ...row, by: authorOf(by_id, names), at: printTime(at) }))
})
