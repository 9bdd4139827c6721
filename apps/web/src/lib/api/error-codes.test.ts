import { endpoints } from '@postil/contract/endpoints.ts'
import { describe, expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { errorCodeOf } from './error-codes.ts'

const codeOf = (method: string, path: string) => errorCodeOf(new ApiError(500, undefined, null, { method, path }))

/** Every error code, with a failed call that must get this code. */
const wanted = [
  ['ERROR_FETCHING_FEEDBACK_DATASETS', 'GET', '/me/home'],
  ['ERROR_FETCHING_WORKSPACES', 'GET', '/me/workspaces'],
  ['ERROR_FETCHING_DATASET_INFO', 'GET', '/datasets/1'],
  ['ERROR_CREATING_DATASET', 'POST', '/datasets'],
  ['ERROR_FETCHING_WORKSPACE_INFO', 'GET', '/workspaces/1'],
  ['ERROR_PATCHING_DATASET_GUIDELINES', 'PATCH', '/datasets/1'],
  ['ERROR_DELETING_DATASET', 'DELETE', '/datasets/1'],
  ['ERROR_FETCHING_DATASET_PROGRESS', 'GET', '/datasets/1/progress'],
  ['ERROR_PUBLISHING_DATASET', 'PUT', '/datasets/1/publish'],
  ['ERROR_IMPORTING_DATASET', 'POST', '/datasets/1/import'],
  ['ERROR_EXPORTING_DATASET', 'POST', '/datasets/1/export'],
  ['ERROR_FETCHING_DATASET', 'GET', '/me/hub/repository'],
  ['GET_AGENTS', 'GET', '/datasets/1/records/search/suggestions/options'],
  ['GET_WORKSPACES', 'GET', '/users/1/workspaces'],
  ['CREATE_WORKSPACE', 'POST', '/workspaces'],
  ['ERROR_FETCHING_ENVIRONMENT_SETTINGS', 'GET', '/settings'],
  ['ERROR_FETCHING_FIELDS', 'GET', '/datasets/1/fields'],
  ['ERROR_PATCHING_FIELDS', 'PATCH', '/fields/1'],
  ['ERROR_FETCHING_QUESTIONS', 'GET', '/datasets/1/questions'],
  ['ERROR_PATCHING_QUESTIONS', 'PATCH', '/questions/1'],
  ['ERROR_FETCHING_METADATA', 'GET', '/me/datasets/1/metadata-properties'],
  ['ERROR_UPDATING_METADATA', 'PATCH', '/metadata-properties/1'],
  ['ERROR_CREATING_METADATA', 'POST', '/datasets/1/metadata-properties'],
  ['ERROR_FETCHING_METADATA_METRIC', 'GET', '/metadata-properties/1/metrics'],
  ['ERROR_FETCHING_VECTORS', 'GET', '/datasets/1/vectors-settings'],
  ['ERROR_PATCHING_VECTORS', 'PATCH', '/vectors-settings/1'],
  ['ERROR_FETCHING_RECORDS', 'POST', '/me/datasets/1/records/search'],
  ['ERROR_FETCHING_RECORD_BY_ID', 'GET', '/records/1'],
  ['ERROR_DELETING_RECORD_RESPONSE', 'DELETE', '/records/1/responses/mine'],
  ['ERROR_UPDATING_RECORD_RESPONSE', 'POST', '/records/1/history/2/restore'],
  ['ERROR_CREATING_RECORD_RESPONSE', 'PUT', '/records/1/responses/mine'],
  ['ERROR_CREATING_RECORD_RESPONSE_BULK', 'POST', '/me/datasets/1/responses/bulk-jobs'],
  ['ERROR_FETCHING_OAUTH_PROVIDERS', 'GET', '/oauth2/providers'],
  ['ERROR_FETCHING_OAUTH_ACCESS_TOKEN', 'POST', '/session/oauth/github'],
] as const

describe('an error code', () => {
  test.each(wanted)('%s belongs to %s %s, which the server has', (code, method, path) => {
    expect(codeOf(method, `/api/v1${path}`)).toBe(code)
    const shape = path.replace(/(?<=\/)(\d|github)(?=\/|$)/g, ':id')
    const served = endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path.replace(/:\w+/g, ':id')}`)
    expect(served).toContain(`${method} /api/v1${shape}`)
  })

  test('does not depend on the query string', () => {
    expect(codeOf('GET', '/api/v1/me/hub/repository?name=team%2Frows')).toBe('ERROR_FETCHING_DATASET')
  })

  test('does not exist for other calls, or for errors without a server response', () => {
    expect(codeOf('GET', '/api/v1/audit')).toBeNull()
    expect(codeOf('POST', '/api/v1/records/1/responses/mine')).toBeNull()
    expect(errorCodeOf(new ApiError(0, undefined, null, { method: 'GET', path: '/api/v1/datasets/1' }))).toBeNull()
    expect(errorCodeOf(new ApiError(500, undefined))).toBeNull()
    const rule = { code: 'update_distribution_with_existing_responses', message: 'x' }
    expect(errorCodeOf(new ApiError(422, rule, null, { method: 'PATCH', path: '/api/v1/datasets/1' }))).toBeNull()
    expect(errorCodeOf(new Error('x'))).toBeNull()
  })
})
