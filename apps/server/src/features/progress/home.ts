import type { FieldKind } from '@postil/contract/field-types/index.ts'
import type { Home } from '@postil/contract/home.ts'
import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import { kindIn } from '@postil/contract/wire/kinds.ts'
import { sql } from 'kysely'
import { datasetsWithAssignments } from '#features/assignments/public.ts'
import { printDataset, visibleDatasets } from '#features/datasets/public.ts'
import { serverFieldTypes } from '#field-types/registry.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { serverQuestionTypes } from '#question-types/registry.ts'
import { answeredBy } from './answered-by.ts'
import { countsOfDatasets } from './counters.ts'
import { visibleWorkspaces } from './workspaces.ts'

/**
 * Stored settings begin with `type`, followed by `postil_kind` for kinds that only Postil has. Both can therefore be read
 * without parsing hundreds of labels.
 */
const KIND = /^\{"type":"(\w+)"(?:,"postil_kind":"(\w+)")?/
const START = 128

/** Returns the distinct kinds of each dataset's fields or questions, in creation order. Keyed by dataset ID. */
const typesOf = async (
  db: Db,
  table: 'fields' | 'questions',
  kinds: { readonly [kind: string]: unknown },
  datasetIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const types = new Map<string, Set<string>>(datasetIds.map((id) => [id, new Set()]))
  if (datasetIds.length === 0) return types
  const rows = await db.sql
    .selectFrom(table as 'fields')
    .select(['dataset_id', sql<string>`substr(settings, 1, ${START})`.as('start')])
    .where('dataset_id', 'in', datasetIds)
    .orderBy('no')
    .execute()
  for (const { dataset_id, start } of rows) {
    const [, type, postil_kind] = KIND.exec(start) ?? []
    if (type === undefined) throw new Error(`settings in ${table} do not start with their type`)
    types.get(dataset_id)?.add(kindIn(kinds, { type, postil_kind }))
  }
  return types
}

/**
 * Reads everything that the caller's home page shows. This takes twelve statements regardless of the number of datasets, and one
 * search for each dataset whose records are assigned to people. Datasets in which the caller has test items need a few more
 * statements.
 */
export const home = query('home.get', async (db, { user }: { readonly user: Actor }): Promise<Home> => {
  const workspaces = await visibleWorkspaces(db, user)
  const datasets = await visibleDatasets(db, user)
  const ids = datasets.map(({ id }) => id)
  const fieldTypes = await typesOf(db, 'fields', serverFieldTypes, ids)
  const questionTypes = await typesOf(db, 'questions', serverQuestionTypes, ids)
  const nos = datasets.map(({ no }) => no)
  const countsOf = await countsOfDatasets(db, datasets, user)
  const peopleOf = await answeredBy(db, nos)
  const assigned = await datasetsWithAssignments(db, datasets)
  return {
    workspaces,
    datasets: datasets.map((dataset) => ({
      dataset: printDataset(dataset),
      ...countsOf(dataset),
      field_types: [...(fieldTypes.get(dataset.id) ?? [])] as FieldKind[],
      question_types: [...(questionTypes.get(dataset.id) ?? [])] as QuestionKind[],
      answered_by: peopleOf(dataset.no),
    })),
    has_assignments: assigned.length > 0,
  }
})
