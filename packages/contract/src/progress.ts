import { z } from 'zod'
import { defineEndpoint } from './wire/define-endpoint.ts'

export const DatasetProgress = z.strictObject({
  total: z.int(),
  completed: z.int(),
  pending: z.int(),
  /** Number of submitted answers that exceed what their records need. Argilla's API doesn't have this key. */
  surplus: z.int(),
  /** Number of submitted answers without those that `surplus` counts. Argilla's API doesn't have this key. */
  answers: z.int(),
  /**
   * The number of answers that complete every record: the number of records times the minimum. Argilla's API doesn't have this
   * key.
   */
  answers_needed: z.int(),
  users: z.array(z.strictObject({ username: z.string() })),
})
export type DatasetProgress = z.infer<typeof DatasetProgress>

const ByResponseStatus = z.strictObject({ submitted: z.int(), discarded: z.int(), draft: z.int() })
export const UsersProgress = z.strictObject({
  users: z.array(z.strictObject({ username: z.string(), completed: ByResponseStatus, pending: ByResponseStatus })),
})
export type UsersProgress = z.infer<typeof UsersProgress>

export const ResponseMetrics = z.strictObject({
  total: z.int(),
  submitted: z.int(),
  discarded: z.int(),
  draft: z.int(),
  /** Records without an answer from the caller, including completed records. */
  pending: z.int(),
  /** Number of pending records without an answer or a draft from the caller. Argilla's API doesn't have this key. */
  left: z.int(),
})
export type ResponseMetrics = z.infer<typeof ResponseMetrics>
export const MyMetrics = z.strictObject({
  responses: ResponseMetrics,
  /**
   * Whether the caller gets no more records, because too many answers to test items were wrong. Argilla's API doesn't have this
   * key.
   */
  stopped: z.boolean(),
})
export type MyMetrics = z.infer<typeof MyMetrics>

export const getProgress = defineEndpoint({
  id: 'progress.dataset',
  method: 'GET',
  path: '/datasets/:dataset_id/progress',
  result: DatasetProgress,
  errors: [403, 404],
  summary: 'Count records by status and list everyone who has answered',
})
export const getUsersProgress = defineEndpoint({
  id: 'progress.users',
  method: 'GET',
  path: '/datasets/:dataset_id/users/progress',
  result: UsersProgress,
  errors: [403, 404],
  summary: "Count each user's responses by record status and response status",
})
export const getMyMetrics = defineEndpoint({
  id: 'progress.my_metrics',
  method: 'GET',
  path: '/me/datasets/:dataset_id/metrics',
  result: MyMetrics,
  errors: [403, 404],
  summary: "Count the caller's responses by status",
})

export const progressEndpoints = [getProgress, getUsersProgress, getMyMetrics] as const
