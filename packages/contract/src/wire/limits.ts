type Range = { readonly min: number; readonly max: number }

/** Limits that the operator can change; all lengths in code points. */
export type Limits = {
  readonly labelOptions: number
  readonly spanOptions: number
  readonly roleLength: Range
  readonly messageLength: Range
}

export const defaultLimits: Limits = {
  labelOptions: 500,
  spanOptions: 500,
  roleLength: { min: 1, max: 20 },
  messageLength: { min: 1, max: 20_000 },
}

/** Names of users and workspaces are unique, and an index of PostgreSQL takes no entry of more than 2,704 bytes. */
export const maxUniqueName = 500
/** Answers and records have bounds that no setting changes. */
export const maxChatMessages = 500
export const maxSpans = 10_000
export const maxVectorDimensions = 16_000
export const maxVectorSettings = 5
export const maxBulkRecords = 500
export const maxBulkResponses = 100
export const maxIdsInQuery = 100
/** Also what one person has in hand of a dataset at most. */
export const maxQueueRecords = 100
export const maxExcludedRecords = 1000
export const maxWebhooks = 10
/** Views of one dataset that one person can keep; their queries are addresses, which proxies cut at 8,000 bytes or more. */
export const maxSavedViews = 100
export const maxViewName = 200
export const maxViewQuery = 8000
