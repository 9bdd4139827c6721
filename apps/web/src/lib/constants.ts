import { maxPageRecords } from '@postil/contract/wire/limits.ts'

/* Numbers that the product's rules define. Times are in milliseconds. */

/**
 * `toastDelay` is the delay before a notification appears. `toastFade` is the duration of its fade. At the interval
 * `toastQueueCheck`, a queued notification checks whether earlier notifications are gone.
 */
export const toastDelay = 100
export const toastFade = 150
export const toastQueueCheck = 250
/**
 * The base duration for which a notification is shown. `toastExtraDuration` is added for every `toastExtraCharacters` characters.
 */
export const toastBaseDuration = 6000
export const toastExtraDuration = 1000
export const toastExtraCharacters = 120
/** The longest time between the release of a pointer and the click event that it causes. Browsers report touch clicks late. */
export const pressSettleTime = 100
/**
 * Maximum time between the presses of a double click. It is short enough that a user can't react to a change between the presses.
 */
export const doubleClickTime = 300

/** Time stops counting as active when there has been no input for this long. */
export const idleAfter = 30_000

/** How long "copied" is shown. */
export const copiedDuration = 1000
/** Tooltips up to this many characters stay on one line. */
export const shortTooltip = 40
/** Avatar diameters in CSS pixels. */
export const avatarSizes = { mini: 26, small: 34, medium: 45 } as const

/** Number of decimals in displayed numbers: scores, shares (such as similarity) and progress percentages. */
export const scoreDigits = 1
export const shareDigits = 1
export const progressDigits = 2

/**
 * How long server responses stay fresh. `cacheDefault` applies to most responses, `cacheMedium` to the structure of a dataset,
 * and `cacheLarge` to the dataset itself, its workspace and Hub data.
 */
export const cacheDefault = 3000
/** How long counts stay fresh. The time is short, so that counts are about as recent as the screen that shows them. */
export const cacheCounts = 1000
/** Counts are refetched once no answer has been accepted for this long. */
export const recountDelay = 400
export const cacheMedium = 120_000
export const cacheLarge = 600_000

/** How long the web app waits, in milliseconds, before it requests UI strings again that failed to load. */
export const textsRetryDelay = 1000

/** Minimum time between two reloads of the web app that are caused by missing files. */
export const reloadInterval = 60_000

/**
 * How long the network may still be unreliable after it has been restored. Failures during this time are retried and aren't
 * treated as permanent.
 */
export const reconnectGrace = 10_000

/** Larger files are uploaded in parts of this many bytes, so that an interrupted upload can be resumed. */
export const uploadPartSize = 8_388_608
/**
 * Minimum time in milliseconds before a part that failed to upload is sent again. It doubles with each attempt, up to
 * `uploadRetryDelayMax`.
 */
export const uploadRetryDelay = 1000
export const uploadRetryDelayMax = 30_000
/**
 * Polling for the first records of an import: maximum number of requests, the pause between them, and the number of records
 * that is enough. Polling also stops when the import ends.
 */
export const importPollsMax = 10
export const importPollInterval = 3000
export const importRecordsEnough = 10

/** If a server hasn't started to respond to a read after this time, it is considered unreachable. */
export const responseTimeout = 30_000
/**
 * How long to wait for the browser's storage to open. Some browsers never report whether it opens. After this time, the web app
 * works without storage.
 */
export const storageTimeout = 3000

export const rememberedUploadsMax = 20

/** Number of records per batch when the outbox sends answers. */
export const bulkChunk = 10
/**
 * Maximum number of records on a page, and therefore of individually selected records. If all search results are selected, a
 * server job answers them, and their number isn't limited.
 */
export const bulkLimit = maxPageRecords
/** Answering more records than this at once requires a confirmation. */
export const bulkConfirmAbove = 100

/** How long the label next to the pointer is shown. */
export const pointerLabelDuration = 3000
/** A user who drags over text for this long gets a one-time hint about selecting by character. */
export const dragHintDelay = 500

/** Digits that are pressed within this time, in milliseconds, form one number. For example, 1 and 2 form 12. */
export const digitTimeout = 300
/**
 * How long Enter is ignored after a key press that submitted an answer. Otherwise, users who habitually press Enter after
 * answering would submit the next record unread.
 */
export const enterPause = 400
/** Filter changes are applied when no further change follows within this time, in milliseconds. */
export const filterDelay = 500
/** Default number of similar records. */
export const similarDefault = 50
/** Minimum number of answers that a user needs to share their progress. A single answer shows no progress. */
export const shareMinimum = 2

/** Lists with more labels than this can be collapsed. At least this many labels are always shown. */
export const foldAbove = 3
/** The sample suggestions in the preview of a question with labels: the scores of the first labels, and the name of the agent. */
export const previewScores: readonly number[] = [0.5, 0.7]
export const previewAgent = 'system'

/** Maximum lengths of names, guidelines, titles and descriptions, in characters. */
export const nameMax = 200
export const guidelinesMax = 10_000
export const questionTitleMax = 200
export const questionDescriptionMax = 500
export const fieldTitleMax = 500
export const metadataTitleMax = 500
export const vectorTitleMax = 500
/** Minimum values of the numbers in the dataset settings. */
export const minSubmittedMin = 1
/** Maximum value that the form allows. The API accepts larger values, and existing larger values are kept. */
export const minSubmittedMax = 1_000_000
export const maxPerPersonMin = 1
