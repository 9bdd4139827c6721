import { type TableName, tables } from '../tables.ts'

/* How a cluster stores the tables. `deploy/citus.sql` does it, and a test compares the two. */

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

/** Tables that grow with records. All rows of a dataset are on one node. PostgreSQL's text index is a table of its own. */
export const distributedTables: ReadonlySet<string> = new Set([
  'record_text',
  ...Object.entries(tables).flatMap(([name, columns]) =>
    'dataset_no' in columns && !TOGETHER.includes(name as TableName) ? [name] : [],
  ),
])

/**
 * Tables that are only on the coordinator, but known to Citus, which then commits them and a dataset's rows in two phases: all or
 * nothing.
 */
export const managedTables: ReadonlySet<string> = new Set(['jobs'])

/** Tables of which every node has a copy, because they are read together with the distributed tables. */
export const referenceTables: ReadonlySet<string> = new Set(['datasets', 'users', 'memberships', 'questions'])
