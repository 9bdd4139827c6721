import { activeTimeEndpoints } from './active-time.ts'
import { agreementEndpoints } from './agreement.ts'
import { annotationSetupEndpoints } from './annotation-setup.ts'
import { answerJobEndpoints } from './answer-jobs.ts'
import { assignmentEndpoints } from './assignments.ts'
import { auditEndpoints } from './audit.ts'
import { bulkAnswerEndpoints } from './bulk-answers.ts'
import { commentEndpoints } from './comments.ts'
import { comparisonEndpoints } from './comparisons.ts'
import { copiedRowEndpoints } from './copied-rows.ts'
import { correctionEndpoints } from './corrections.ts'
import { datasetEndpoints } from './datasets.ts'
import { fieldEndpoints } from './fields.ts'
import { fileEndpoints } from './files/files.ts'
import { hubEndpoints } from './files/hub.ts'
import { importEndpoints } from './files/imports.ts'
import { storedFileEndpoints } from './files/stored-files.ts'
import { uploadEndpoints } from './files/uploads.ts'
import { historyEndpoints } from './history.ts'
import { homeEndpoints } from './home.ts'
import { infoEndpoints } from './info.ts'
import { insightsEndpoints } from './insights.ts'
import { jobEndpoints } from './jobs.ts'
import { labelColourEndpoints } from './label-colours.ts'
import { metadataPropertyEndpoints } from './metadata-properties.ts'
import { modelAlignmentEndpoints } from './model-alignment.ts'
import { modelConnectionEndpoints } from './model-connections.ts'
import { modelRunEndpoints } from './model-runs.ts'
import { noteEndpoints } from './notes.ts'
import { accountLinkEndpoints } from './people/account-links.ts'
import { authEndpoints } from './people/auth.ts'
import { oauthEndpoints } from './people/oauth.ts'
import { peopleEndpoints } from './people/people.ts'
import { secondFactorEndpoints } from './people/second-factor.ts'
import { userEndpoints } from './people/users.ts'
import { workspaceEndpoints } from './people/workspace-endpoints.ts'
import { progressEndpoints } from './progress.ts'
import { questionMetricEndpoints } from './question-metrics.ts'
import { questionEndpoints } from './questions.ts'
import { queueEndpoints } from './queue.ts'
import { recordDeletionEndpoints } from './record-deletions.ts'
import { recordEndpoints } from './records.ts'
import { responseEndpoints } from './responses.ts'
import { reviewEndpoints } from './review.ts'
import { savedViewEndpoints } from './saved-views.ts'
import { schemaVersionEndpoints } from './schema-versions.ts'
import { searchEndpoints } from './search.ts'
import { searchSettingsEndpoints } from './search-settings.ts'
import { snapshotEndpoints } from './snapshots.ts'
import { suggestionSettingsEndpoints } from './suggestion-settings.ts'
import { suggestionEndpoints } from './suggestions.ts'
import { testItemEndpoints } from './test-items.ts'
import { traceEndpoints } from './traces.ts'
import { vectorsSettingsEndpoints } from './vectors-settings.ts'
import { webhookEndpoints } from './webhooks.ts'
import type { AnyEndpoint } from './wire/endpoint.ts'

const all = [
  ...authEndpoints,
  ...secondFactorEndpoints,
  ...oauthEndpoints,
  ...infoEndpoints,
  ...userEndpoints,
  ...peopleEndpoints,
  ...accountLinkEndpoints,
  ...workspaceEndpoints,
  ...homeEndpoints,
  ...annotationSetupEndpoints,
  ...datasetEndpoints,
  ...fieldEndpoints,
  ...questionEndpoints,
  ...questionMetricEndpoints,
  ...labelColourEndpoints,
  ...schemaVersionEndpoints,
  ...metadataPropertyEndpoints,
  ...vectorsSettingsEndpoints,
  ...recordEndpoints,
  ...suggestionEndpoints,
  ...responseEndpoints,
  ...bulkAnswerEndpoints,
  ...historyEndpoints,
  ...searchEndpoints,
  ...searchSettingsEndpoints,
  ...activeTimeEndpoints,
  ...suggestionSettingsEndpoints,
  ...savedViewEndpoints,
  ...queueEndpoints,
  ...assignmentEndpoints,
  ...recordDeletionEndpoints,
  ...reviewEndpoints,
  ...answerJobEndpoints,
  ...correctionEndpoints,
  ...testItemEndpoints,
  ...commentEndpoints,
  ...modelConnectionEndpoints,
  ...modelRunEndpoints,
  ...modelAlignmentEndpoints,
  ...fileEndpoints,
  ...importEndpoints,
  ...uploadEndpoints,
  ...storedFileEndpoints,
  ...hubEndpoints,
  ...progressEndpoints,
  ...agreementEndpoints,
  ...insightsEndpoints,
  ...comparisonEndpoints,
  ...traceEndpoints,
  ...noteEndpoints,
  ...snapshotEndpoints,
  ...copiedRowEndpoints,
  ...jobEndpoints,
  ...webhookEndpoints,
  ...auditEndpoints,
] as const

/** Every endpoint of the API, for the API documentation and the contract tests. */
export const endpoints: readonly AnyEndpoint[] = all

type Known = (typeof all)[number]

type Below<Path> = Path extends `/api/v1${infer Rest}` ? Rest : never

/**
 * The types of all endpoints, keyed by route: `Endpoints['GET /datasets/:dataset_id']`. Clients import them with `import type`,
 * so that no schema is loaded.
 */
export type Endpoints = { readonly [E in Known as `${E['method']} ${Below<E['path']>}`]: E }

/** A method and a path below `/api/v1`, as endpoints declare them: `GET /datasets/:dataset_id`. */
export type Route = keyof Endpoints
