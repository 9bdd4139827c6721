import { sessionValue } from '#lib/session-value.ts'

/**
 * The position that the queue's URL is about to get. It is stored while the change to the URL is deferred, so that a reload in
 * between returns to the record on the screen.
 */
export const movingTo = sessionValue<{ readonly datasetId: string; readonly position: number }>('postil.queue.moving')
