import { type TableName, tables } from '../tables.ts'

/* How a cluster stores the tables. `deploy/citus.sql` sets this up, and a test compares that script with this file. */

/** Tables that have a dataset number but aren't distributed. They are small, and are searched for pending work, not by dataset. */
const TOGETHER: readonly TableName[] = [
  'jobs',
  'bulk_answer_parts',
  'assignment_parts',
  'deletion_parts',
  'gold_parts',
  'mentions',
  'imports',
  'import_faults',
  'saved_views',
  'model_runs',
]

/**
 * Tables that grow with the number of records. In a cluster, all their rows of a dataset are on one node. `record_text` is
 * PostgreSQL's text index.
 */
export const distributedTables: ReadonlySet<string> = new Set([
  'record_text',
  ...Object.entries(tables).flatMap(([name, columns]) =>
    'dataset_no' in columns && !TOGETHER.includes(name as TableName) ? [name] : [],
  ),
])

/**
 * Tables that are only on the coordinator but are known to Citus. If a transaction changes such a table and rows of a dataset,
 * Citus therefore commits it in two phases, so that either all changes are stored or none.
 */
export const managedTables: ReadonlySet<string> = new Set(['jobs'])

/** Tables of which every node has a copy, because they are read together with the distributed tables. */
export const referenceTables: ReadonlySet<string> = new Set(['datasets', 'users', 'memberships', 'questions'])
