import { bulkLimit } from '#lib/constants.ts'

/** The sizes of pages and of similarity searches that users can choose. */
export const pageSizes: readonly number[] = [10, 25, 50, 100, 500, bulkLimit]
export const similarityLimits: readonly number[] = [10, 50, 100, 200]
