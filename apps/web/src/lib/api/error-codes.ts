import { ApiError } from './api-error.ts'

type EndpointPattern = readonly [method: string, path: string]

/* Error codes for support requests, with the endpoints whose failures they identify. `*` matches an ID or a name. */
const errorCodes: { readonly [code: string]: readonly EndpointPattern[] } = {
  ERROR_FETCHING_FEEDBACK_DATASETS: [
    ['GET', '/me/datasets'],
    ['GET', '/me/home'],
  ],
  ERROR_FETCHING_WORKSPACES: [['GET', '/me/workspaces']],
  GET_WORKSPACES: [['GET', '/users/*/workspaces']],
  ERROR_FETCHING_WORKSPACE_INFO: [['GET', '/workspaces/*']],
  CREATE_WORKSPACE: [['POST', '/workspaces']],
  ERROR_FETCHING_DATASET_INFO: [['GET', '/datasets/*']],
  ERROR_CREATING_DATASET: [['POST', '/datasets']],
  ERROR_PATCHING_DATASET_GUIDELINES: [['PATCH', '/datasets/*']],
  ERROR_DELETING_DATASET: [['DELETE', '/datasets/*']],
  ERROR_FETCHING_DATASET_PROGRESS: [['GET', '/datasets/*/progress']],
  ERROR_PUBLISHING_DATASET: [['PUT', '/datasets/*/publish']],
  ERROR_IMPORTING_DATASET: [
    ['POST', '/datasets/*/import'],
    ['POST', '/datasets/*/imports/files/*/start'],
  ],
  ERROR_EXPORTING_DATASET: [['POST', '/datasets/*/export']],
  ERROR_FETCHING_DATASET: [
    ['GET', '/me/hub/repository'],
    ['GET', '/me/hub/preview'],
  ],
  GET_AGENTS: [
    ['GET', '/datasets/*/records/search/suggestions/options'],
    ['GET', '/questions/*/suggestions/metrics'],
    ['GET', '/me/questions/*/responses/metrics'],
  ],
  ERROR_FETCHING_ENVIRONMENT_SETTINGS: [['GET', '/settings']],
  ERROR_FETCHING_FIELDS: [['GET', '/datasets/*/fields']],
  ERROR_PATCHING_FIELDS: [['PATCH', '/fields/*']],
  ERROR_FETCHING_QUESTIONS: [['GET', '/datasets/*/questions']],
  ERROR_PATCHING_QUESTIONS: [['PATCH', '/questions/*']],
  ERROR_FETCHING_METADATA: [['GET', '/me/datasets/*/metadata-properties']],
  ERROR_UPDATING_METADATA: [['PATCH', '/metadata-properties/*']],
  ERROR_CREATING_METADATA: [['POST', '/datasets/*/metadata-properties']],
  ERROR_FETCHING_METADATA_METRIC: [
    ['GET', '/metadata-properties/*/metrics'],
    ['GET', '/metadata-properties/*/histogram'],
  ],
  ERROR_FETCHING_VECTORS: [['GET', '/datasets/*/vectors-settings']],
  ERROR_PATCHING_VECTORS: [['PATCH', '/vectors-settings/*']],
  ERROR_FETCHING_RECORDS: [
    ['POST', '/me/datasets/*/records/search'],
    ['POST', '/me/datasets/*/queue'],
  ],
  ERROR_FETCHING_RECORD_BY_ID: [['GET', '/records/*']],
  ERROR_DELETING_RECORD_RESPONSE: [['DELETE', '/records/*/responses/mine']],
  ERROR_CREATING_RECORD_RESPONSE: [['PUT', '/records/*/responses/mine']],
  ERROR_UPDATING_RECORD_RESPONSE: [['POST', '/records/*/history/*/restore']],
  ERROR_CREATING_RECORD_RESPONSE_BULK: [
    ['POST', '/me/datasets/*/responses/bulk-jobs'],
    ['POST', '/me/datasets/*/responses/bulk-jobs/*/undo'],
  ],
  ERROR_FETCHING_OAUTH_PROVIDERS: [['GET', '/oauth2/providers']],
  ERROR_FETCHING_OAUTH_ACCESS_TOKEN: [['POST', '/session/oauth/*']],
}

const root = '/api/v1'

const matches = (pattern: string, path: string): boolean => {
  const patternParts = pattern.split('/')
  const [pathname = ''] = path.split('?', 1)
  const parts = (pathname.startsWith(root) ? pathname.slice(root.length) : pathname).split('/')
  return patternParts.length === parts.length && patternParts.every((part, i) => part === '*' || part === parts[i])
}

/** Returns the error code of a failed request. Null if it has no code, or if the error isn't a server response. */
export const errorCodeOf = (error: unknown): string | null => {
  // For signed-out and offline users, the message is sufficient without an error code.
  if (!(error instanceof ApiError) || error.request === null || error.status === 0 || error.status === 401) return null
  // A broken business rule has its own code and message, which are more precise than a code for the request.
  if (error.code !== null) return null
  const { method, path } = error.request
  const found = Object.entries(errorCodes).find(([, endpoints]) =>
    endpoints.some((one) => one[0] === method && matches(one[1], path)),
  )
  return found?.[0] ?? null
}
