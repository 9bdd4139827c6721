import { must } from '../fixture.ts'
import { someJobOf } from '../job-of.ts'
import { type Action, everyone, owners } from './action.ts'
import { assignmentActions } from './assignments.ts'
import { bulkAnswerActions } from './bulk-answers.ts'
import { commentActions } from './comments.ts'
import { comparisonActions } from './comparisons.ts'
import { datasetActions, schemaActions } from './datasets.ts'
import { historyActions } from './history.ts'
import { hubActions } from './hub.ts'
import { importActions } from './imports.ts'
import { modelActions } from './models.ts'
import { noteActions } from './notes.ts'
import { accountLinkActions, sessionActions, userActions, workspaceActions } from './people.ts'
import { queueActions } from './queue.ts'
import { recordActions, responseActions } from './records.ts'
import { reviewActions } from './review.ts'
import { savedViewActions } from './saved-views.ts'
import { schemaVersionActions } from './schema-versions.ts'
import { snapshotActions } from './snapshots.ts'
import { traceActions } from './traces.ts'
import { webhookActions } from './webhooks.ts'

const migrationActions: readonly Action[] = [
  {
    id: 'migration.rows',
    allowed: owners,
    missing: 'found first',
    request: ({ rich }) => ({ params: { dataset_id: rich.dataset.id }, query: { part: 'gold' } }),
  },
]

const jobActions: readonly Action[] = [
  { id: 'jobs.list', allowed: owners, request: () => ({}) },
  { id: 'jobs.list-mine', allowed: everyone, request: () => ({}) },
  { id: 'info.instance', allowed: owners, request: () => ({}) },
  {
    id: 'jobs.get',
    // The request names a job that the server itself started for a deleted dataset. Only owners can get such a job.
    allowed: owners,
    missing: 'found first',
    request: async ({ server, owner, newDraft }) => {
      must(await owner.delete(`/datasets/${(await newDraft()).dataset.id}`))
      return { params: { job_id: await someJobOf(server) } }
    },
  },
]

/** The permission matrix: every action of every route that requires a user. */
export const matrix: readonly Action[] = [
  ...sessionActions,
  ...userActions,
  ...accountLinkActions,
  ...workspaceActions,
  ...datasetActions,
  ...schemaActions,
  ...schemaVersionActions,
  ...recordActions,
  ...responseActions,
  ...bulkAnswerActions,
  ...historyActions,
  ...savedViewActions,
  ...queueActions,
  ...reviewActions,
  ...commentActions,
  ...assignmentActions,
  ...importActions,
  ...hubActions,
  ...jobActions,
  ...webhookActions,
  ...modelActions,
  ...comparisonActions,
  ...traceActions,
  ...noteActions,
  ...snapshotActions,
  ...migrationActions,
]
