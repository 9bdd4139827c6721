import { modelRefusals } from './models.ts'
import { answerRefusals, recordRefusals, searchRefusals } from './records.ts'
import type { Refusal } from './refusal.ts'
import { datasetRefusals, peopleRefusals } from './resources.ts'
import { savedViewRefusals } from './saved-views.ts'
import { schemaRefusals } from './schema.ts'
import { schemaVersionRefusals } from './schema-versions.ts'
import { secondFactorRefusals } from './second-factor.ts'
import { snapshotRefusals } from './snapshots.ts'
import { uploadRefusals } from './uploads.ts'
import { webhookRefusals } from './webhooks.ts'

/** At least one request for every 409 response and every business rule that a route documents. */
export const refusals: readonly Refusal[] = [
  ...peopleRefusals,
  ...datasetRefusals,
  ...schemaRefusals,
  ...schemaVersionRefusals,
  ...recordRefusals,
  ...answerRefusals,
  ...searchRefusals,
  ...savedViewRefusals,
  ...snapshotRefusals,
  ...uploadRefusals,
  ...secondFactorRefusals,
  ...webhookRefusals,
  ...modelRefusals,
]
