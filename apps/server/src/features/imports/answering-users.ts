import type { FileMapping } from '@postil/contract/files/imports.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { publisherOf } from '#features/gold/public.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'

/** @param ids at most as many as a mapping can name */
const peopleIn = (db: Db, datasetNo: number, ids: readonly string[]) =>
  db.sql
    .selectFrom('users')
    .innerJoin('datasets', (join) => join.on('datasets.no', '=', datasetNo))
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.user_id', '=', 'users.id').onRef('memberships.workspace_id', '=', 'datasets.workspace_id'),
    )
    .select(['users.id', 'users.username', 'users.role', 'memberships.user_id as member', 'datasets.review'])
    .select('users.is_agent')
    .where('users.id', 'in', ids)
    .execute()

/**
 * Checks that the users whom a mapping names can be the authors of imported answers. Deactivated users can have answers. The user
 * under whose name final answers are published can't have answers of their own.
 * @throws Problem unprocessable, which names the first user who can't have answers
 */
export const checkAnsweringUsers = async (db: Db, datasetNo: number, { annotators }: FileMapping): Promise<void> => {
  const ids = [...new Set((annotators ?? []).flatMap((one) => (one.as === 'answers' ? [one.user_id] : [])))]
  if (ids.length === 0) return
  const people = new Map((await peopleIn(db, datasetNo, ids)).map((user) => [user.id, user]))
  const [first] = people.values()
  const publisher = first === undefined ? null : await publisherOf(db, first)
  for (const id of ids) {
    const user = people.get(id)
    if (user === undefined) throw unprocessable(message('assigneeUnknown', { id }))
    const { username } = user
    if (user.role !== 'owner' && user.member === null) throw unprocessable(message('answererOutside', { username }))
    if (user.is_agent) throw unprocessable(message('answererAgent', { username }))
    if (id === publisher) throw unprocessable(message('answererPublishes', { username }))
  }
}

export type PossibleAnswerer = {
  readonly id: string
  readonly username: string
  readonly first_name: string
  readonly last_name: string | null
}

/**
 * Returns the users who can be named as the authors of imported answers: the members of the dataset's workspace and all owners,
 * except agents. The result is ordered by username. The caller must check that the user may add records.
 */
export const possibleAnswerers = query(
  'imports.possible-answerers',
  (db, { dataset_id }: { readonly dataset_id: string }): Promise<PossibleAnswerer[]> =>
    db.sql
      .selectFrom('users')
      .innerJoin('datasets', (join) => join.on('datasets.id', '=', dataset_id))
      .select(['users.id', 'users.username', 'users.first_name', 'users.last_name'])
      .where((eb) =>
        eb.or([
          eb('users.role', '=', 'owner'),
          eb.exists(
            eb
              .selectFrom('memberships')
              .select('memberships.user_id')
              .whereRef('memberships.user_id', '=', 'users.id')
              .whereRef('memberships.workspace_id', '=', 'datasets.workspace_id'),
          ),
        ]),
      )
      .where('users.is_agent', '=', false)
      .orderBy('users.username')
      .execute(),
)
