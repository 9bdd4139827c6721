import { annotationSetupEndpoints } from './annotation-setup.ts'
import { auditEndpoints } from './audit.ts'
import { authEndpoints } from './auth.ts'
import { bulkAnswerEndpoints } from './bulk-answers.ts'
import { datasetEndpoints } from './datasets.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { fieldEndpoints } from './fields.ts'
import { fileEndpoints } from './files.ts'
import { historyEndpoints } from './history.ts'
import { homeEndpoints } from './home.ts'
import { hubEndpoints } from './hub.ts'
import { importEndpoints } from './imports.ts'
import { infoEndpoints } from './info.ts'
import { jobEndpoints } from './jobs.ts'
import { labelColourEndpoints } from './label-colours.ts'
import { metadataPropertyEndpoints } from './metadata-properties.ts'
import { oauthEndpoints } from './oauth.ts'
import { progressEndpoints } from './progress.ts'
import { questionMetricEndpoints } from './question-metrics.ts'
import { questionEndpoints } from './questions.ts'
import { queueEndpoints } from './queue.ts'
import { recordEndpoints } from './records.ts'
import { responseEndpoints } from './responses.ts'
import { savedViewEndpoints } from './saved-views.ts'
import { searchEndpoints } from './search.ts'
import { secondFactorEndpoints } from './second-factor.ts'
import { storedFileEndpoints } from './stored-files.ts'
import { suggestionEndpoints } from './suggestions.ts'
import { uploadEndpoints } from './uploads.ts'
import { userEndpoints } from './users.ts'
import { vectorsSettingsEndpoints } from './vectors-settings.ts'
import { webhookEndpoints } from './webhooks.ts'
import { workspaceEndpoints } from './workspace-endpoints.ts'

/** Every route of the wire, for the API documentation, the contract tests and clients. */
export const endpoints: readonly AnyEndpoint[] = [
  ...authEndpoints,
  ...secondFactorEndpoints,
  ...oauthEndpoints,
  ...infoEndpoints,
  ...userEndpoints,
  ...workspaceEndpoints,
  ...homeEndpoints,
  ...annotationSetupEndpoints,
  ...datasetEndpoints,
  ...fieldEndpoints,
  ...questionEndpoints,
  ...questionMetricEndpoints,
  ...labelColourEndpoints,
  ...metadataPropertyEndpoints,
  ...vectorsSettingsEndpoints,
  ...recordEndpoints,
  ...suggestionEndpoints,
  ...responseEndpoints,
  ...bulkAnswerEndpoints,
  ...historyEndpoints,
  ...searchEndpoints,
  ...savedViewEndpoints,
  ...queueEndpoints,
  ...fileEndpoints,
  ...importEndpoints,
  ...uploadEndpoints,
  ...storedFileEndpoints,
  ...hubEndpoints,
  ...progressEndpoints,
  ...jobEndpoints,
  ...webhookEndpoints,
  ...auditEndpoints,
]
