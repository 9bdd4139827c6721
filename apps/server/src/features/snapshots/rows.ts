import type { Snapshot } from '@postil/contract/snapshots.ts'
import { parseUuid } from '@postil/contract/wire/scalars.ts'
import { usernamesOf } from '#features/gold/public.ts'
import type { FieldRow, MetadataPropertyRow, QuestionRow } from '#features/schema/public.ts'
import type { Db } from '#platform/db/db.ts'
import { isOurForm } from '#platform/ids.ts'
import { type Micros, printTime } from '#platform/time.ts'

/** The parts of a dataset that determine a file's columns, as they were at the time of a snapshot. */
export type SnapshotContent = {
  readonly allow_extra_metadata: boolean
  readonly fields: readonly FieldRow[]
  readonly questions: readonly QuestionRow[]
  readonly properties: readonly MetadataPropertyRow[]
}

export type StoredSnapshot = {
  readonly id: string
  readonly name: string
  readonly at: Micros
  readonly user_id: string
  /** The first unused `seq` at the time of the snapshot. */
  readonly next_seq: number
  readonly content: SnapshotContent
}

export const selectSnapshots = (db: Db, datasetNo: number) =>
  db.sql.selectFrom('snapshots').select(['id', 'name', 'at', 'user_id']).where('dataset_no', '=', datasetNo)

type Row = Pick<StoredSnapshot, 'id' | 'name' | 'at' | 'user_id'>

export const printSnapshots = async (db: Db, rows: readonly Row[]): Promise<Snapshot[]> => {
  const names = await usernamesOf(
    db,
    rows.map(({ user_id }) => user_id),
  )
  return rows.map(({ id, name, at, user_id }) => {
    const username = names.get(user_id)
    return { id, name, at: printTime(at), user: username === undefined ? null : { id: user_id, username } }
  })
}

export const printSnapshot = async (db: Db, row: Row): Promise<Snapshot> => {
  const [printed] = await printSnapshots(db, [row])
  if (printed === undefined) throw new Error('the snapshot was not printed')
  return printed
}

/** The snapshot with this name or ID, or null. */
export const snapshotNamed = async (db: Db, datasetNo: number, nameOrId: string): Promise<StoredSnapshot | null> => {
  const id = parseUuid(nameOrId)
  const rows = await db.sql
    .selectFrom('snapshots')
    .select(['id', 'name', 'at', 'user_id', 'next_seq', 'content'])
    .where('dataset_no', '=', datasetNo)
    .where((eb) => (id === null ? eb('name', '=', nameOrId) : eb.or([eb('name', '=', nameOrId), eb('id', '=', id)])))
    .execute()
  const found = rows.find(({ name }) => name === nameOrId) ?? rows[0]
  // The content was written by `createSnapshot`.
  return found === undefined ? null : { ...found, content: found.content as unknown as SnapshotContent }
}

/**
 * Whether a row existed at the time of a snapshot. If the row's ID contains a time, that time decides. It is the time at which an
 * answer was stored on this server, or on the server from which the answer and the snapshot were copied. The timestamp of an
 * imported answer can't decide, because it is the time of the annotation. If the ID contains no time, the timestamp decides.
 */
export const existedAt = (row: { readonly id: string; readonly inserted_at: Micros }, at: Micros): boolean => {
  const stored = isOurForm(row.id) ? Number.parseInt(row.id.slice(0, 8) + row.id.slice(9, 13), 16) * 1000 : row.inserted_at
  return stored < at
}
