/*
 * What the product's rules fix as a number, in one place. Times are in milliseconds.
 */

/** A notification appears so long after it was asked for, fades so long, and one that waits for others looks so often whether they are gone. */
export const toastDelay = 100
export const toastFade = 150
export const toastQueueCheck = 250
/** It stays so long, and `toastMore` longer for every `toastPart` characters begun. */
export const toastStay = 6000
export const toastMore = 1000
export const toastPart = 120
/** A press may still become a click so long after the pointer is up: of a finger the browser says so later. */
export const pressSettles = 100
/** Who presses twice within so long makes a double click, and has not seen what came between. */
export const doubleClick = 300

/** How long "copied" is said. */
export const copiedStay = 1000
/** A tooltip of fewer characters stays on one line. */
export const shortTooltip = 40
/** Diameters of avatars in CSS pixels. */
export const avatarSizes = { mini: 26, small: 34, medium: 45 } as const

/** Digits behind the point: of scores, of shares such as similarity, and of progress. */
export const scoreDigits = 1
export const shareDigits = 1
export const progressDigits = 2

/** How long an answer of the server is good for: of most, of what a dataset is made of, of the dataset and its workspace and what the hub says. */
export const cacheUsual = 3000
/** What is counted is hardly older than the screen that shows it. */
export const cacheCounts = 1000
/** Counts are asked for again when for so long no answer was taken. */
export const countPause = 400
export const cacheMedium = 120_000
export const cacheLarge = 600_000

/** Texts that did not arrive are asked for again no sooner than after this. */
export const textsRetry = 1000

/** A page whose files are gone is loaded again no sooner than after this. */
export const reloadPause = 60_000

/** For so long a network that is back may not work yet: what fails meanwhile is tried again, and is not taken to be gone. */
export const networkSettles = 10_000

/** A larger file is sent in parts of so many bytes, so that one that breaks off can be gone on with. */
export const uploadPart = 8_388_608
/** After a part that did not get through it is tried again no sooner than after the first of these, then twice as long, up to the second. */
export const uploadPause = 1000
export const uploadPauseMax = 30_000
/** The page waits for the first records of an import: it asks for them at most so often, so far apart, until there are so many or the import has ended. */
export const importPolls = 10
export const importPollPause = 3000
export const importEnough = 10

/** A server that has not begun to answer a question after so long is taken to be away. */
export const answerPatience = 30_000
/** Some browsers never say whether their storage opens: after so long it goes on without. */
export const storagePatience = 3000

/** Uploads that were left half-way and are remembered. */
export const uploadsKept = 20

/** Of answers that are given together so many are written to the device, and sent, at a time. */
export const bulkChunk = 10
/**
 * Most records of a page, and so most that can be selected one by one. All that a search finds is answered by a job of the server
 * instead, for any number.
 */
export const bulkLimit = 1000
/** A press that answers more records than these is asked about first. */
export const bulkUnasked = 100

/** The label beside the pointer goes after it has stood for so long. */
export const pointerLabelTime = 3000
/** Who drags over a text for so long is told, once, how to select by character. */
export const dragHintAfter = 500

/** Several digits are one number when they come within this time. */
export const digitWait = 300
/** Changes of filters are held back until none has come for so long. */
export const filterPause = 500
/** How many similar records are found before anything else is chosen. */
export const similarUsual = 50
/** One answer is nothing to show yet: progress can be shared from so many on. */
export const sharedFrom = 2

/** Labels can be folded when there are more than these, and so many are shown at least. */
export const foldAbove = 3
/** What the preview of such a question makes up: scores of its first labels, and who suggests them. */
export const previewScores: readonly number[] = [0.5, 0.7]
export const previewAgent = 'system'

/** Most characters of names, guidelines, titles and descriptions. */
export const nameMax = 200
export const guidelinesMax = 10_000
export const questionTitleMax = 200
export const questionDescriptionMax = 500
export const fieldTitleMax = 500
export const metadataTitleMax = 500
export const vectorTitleMax = 500
/** The least that the numbers of a dataset's settings may be. */
export const minSubmittedMin = 1
/** More answers than anybody asks for: the wire takes more, what has them keeps them. */
export const minSubmittedMax = 1_000_000
export const maxPerPersonMin = 1
