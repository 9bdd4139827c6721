import type { Limits } from '@postil/contract/wire/limits.ts'
import { accountLinkRoutes } from '#features/account-links/routes.ts'
import { activeTimeRoutes } from '#features/active-time/routes.ts'
import { agreementRoutes } from '#features/agreement/routes.ts'
import { assignmentRoutes } from '#features/assignments/routes.ts'
import { auditRoutes } from '#features/audit/routes.ts'
import { authRoutes } from '#features/auth/routes.ts'
import { secondFactorRoutes } from '#features/auth/second-factor/routes.ts'
import { bulkAnswerRoutes } from '#features/bulk-answers/routes.ts'
import { comparisonRoutes } from '#features/comparisons/routes.ts'
import { datasetRoutes } from '#features/datasets/routes.ts'
import { exportRoutes } from '#features/exports/routes.ts'
import { healthRoutes } from '#features/health/routes.ts'
import { historyRoutes } from '#features/history/routes.ts'
import { hubRoutes } from '#features/hub/routes.ts'
import { imageRoutes } from '#features/images/routes.ts'
import { uploadRoutes } from '#features/imports/in-parts/routes.ts'
import { importRoutes } from '#features/imports/routes.ts'
import { insightsRoutes } from '#features/insights/routes.ts'
import { jobRoutes } from '#features/jobs/routes.ts'
import { migrationRoutes } from '#features/migration/routes.ts'
import { modelRoutes } from '#features/models/routes.ts'
import { noteRoutes } from '#features/notes/routes.ts'
import { oauthRoutes } from '#features/oauth/routes.ts'
import { peopleRoutes } from '#features/people/routes.ts'
import { progressRoutes } from '#features/progress/routes.ts'
import { queueRoutes } from '#features/queue/routes.ts'
import { recordDeletionRoutes } from '#features/record-deletions/routes.ts'
import { recordRoutes } from '#features/records/routes.ts'
import { responseRoutes } from '#features/responses/routes.ts'
import { reviewRoutes } from '#features/review/routes.ts'
import { savedViewRoutes } from '#features/saved-views/routes.ts'
import { schemaRoutes } from '#features/schema/routes.ts'
import { schemaVersionRoutes } from '#features/schema-versions/routes.ts'
import { searchRoutes } from '#features/search/routes.ts'
import { snapshotRoutes } from '#features/snapshots/routes.ts'
import { suggestionVisibilityRoutes } from '#features/suggestion-visibility/routes.ts'
import { suggestionRoutes } from '#features/suggestions/routes.ts'
import { threadRoutes } from '#features/threads/routes.ts'
import { traceRoutes } from '#features/traces/routes.ts'
import { userRoutes } from '#features/users/routes.ts'
import { webhookRoutes } from '#features/webhooks/routes.ts'
import { workspaceRoutes } from '#features/workspaces/routes.ts'
import type { Registration } from '#platform/http/route.ts'
import { type IdentityConfig, noProviders } from '#platform/identity/configuration.ts'

/**
 * All server routes. The limits determine the schemas of routes that take fields, questions and records. `identity` holds the
 * identity providers for sign-in.
 */
export const routesWith = (limits: Limits, identity: IdentityConfig = noProviders): readonly Registration[] => [
  ...authRoutes,
  ...secondFactorRoutes,
  ...healthRoutes,
  ...oauthRoutes(identity),
  ...userRoutes,
  ...peopleRoutes,
  ...accountLinkRoutes,
  ...workspaceRoutes,
  ...datasetRoutes,
  ...schemaRoutes(limits),
  ...schemaVersionRoutes(limits),
  ...jobRoutes,
  ...webhookRoutes,
  ...auditRoutes,
  ...progressRoutes,
  ...agreementRoutes,
  ...insightsRoutes,
  ...comparisonRoutes,
  ...traceRoutes,
  ...noteRoutes,
  ...snapshotRoutes,
  ...migrationRoutes,
  ...recordRoutes(limits),
  ...suggestionRoutes,
  ...responseRoutes,
  ...bulkAnswerRoutes,
  ...historyRoutes,
  ...searchRoutes,
  ...savedViewRoutes,
  ...queueRoutes,
  ...activeTimeRoutes,
  ...suggestionVisibilityRoutes,
  ...reviewRoutes,
  ...threadRoutes,
  ...modelRoutes,
  ...assignmentRoutes,
  ...recordDeletionRoutes,
  ...exportRoutes,
  ...imageRoutes,
  ...importRoutes(limits),
  ...uploadRoutes,
  ...hubRoutes(limits),
]
