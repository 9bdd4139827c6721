type Range = { readonly min: number; readonly max: number }

/** Limits that the operator can change. Lengths are in code points. */
export type Limits = {
  readonly labelOptions: number
  readonly spanOptions: number
  readonly roleLength: Range
  readonly messageLength: Range
  /** Maximum size in bytes of an answer's values when serialized as JSON. The same limit applies to a suggested value. */
  readonly answerBytes: number
}

export const defaultLimits: Limits = {
  labelOptions: 500,
  spanOptions: 500,
  roleLength: { min: 1, max: 20 },
  messageLength: { min: 1, max: 20_000 },
  answerBytes: 1_000_000,
}

/**
 * The maximum length of usernames and workspace names. They have a unique index, and a PostgreSQL index entry can have at most
 * 2,704 bytes.
 */
export const maxUniqueName = 500
/** Fixed limits of answers and records, which no setting changes. */
export const maxChatMessages = 500
export const maxSpans = 10_000
export const maxVectorDimensions = 16_000
export const maxVectorSettings = 5
export const maxBulkRecords = 500
/** The maximum number of records per page of a list or search. */
export const maxPageRecords = 1000
export const maxBulkResponses = 100
/** The longest active time in one request, in milliseconds. */
export const maxActiveMs = 30 * 60_000
export const maxIdsInQuery = 100
/** The maximum number of records per queue request, and of leases per person and dataset. */
export const maxQueueRecords = 100
export const maxExcludedRecords = 1000
/** The maximum number of people, and of records chosen by ID, in one change to assignments. */
export const maxAssignees = 100
export const maxChosenRecords = 1000
/** How long a deletion of records waits before it starts, in seconds. Until then, canceling its job keeps all records. */
export const deletionDelay = 10
/** The maximum number of reviewers per dataset, and of records per review request. */
export const maxReviewers = 100
export const maxReviewRecords = 20
/** The maximum number of corrections per page. */
export const maxCorrections = 50
/** The maximum length of a reviewer's note, and of a comment. */
export const maxNoteLength = 4000
export const maxCommentLength = 4000
export const maxCommentsPerRecord = 1000
/** The maximum number of questions that a request for final answers can name. */
export const maxGoldQuestions = 100
export const maxWebhooks = 10
/**
 * The maximum number of saved views per person and dataset, and the lengths of their names and queries. Queries become part of
 * URLs, and some proxies limit URLs to 8,000 bytes.
 */
export const maxSavedViews = 100
export const maxViewName = 200
export const maxViewQuery = 8000
