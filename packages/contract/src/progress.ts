import { z } from 'zod'
import { defineEndpoint } from './wire/define-endpoint.ts'

export const DatasetProgress = z.strictObject({
  total: z.int(),
  completed: z.int(),
  pending: z.int(),
  /** Submitted answers beyond what completes their records. An addition to the wire. */
  surplus: z.int(),
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
  /** Records without an answer of the caller, completed ones too. */
  pending: z.int(),
  /** Records that are pending and without an answer of the caller: what is in their queue. An addition to the wire. */
  left: z.int(),
})
export type ResponseMetrics = z.infer<typeof ResponseMetrics>
export const MyMetrics = z.strictObject({ responses: ResponseMetrics })
export type MyMetrics = z.infer<typeof MyMetrics>

export const getProgress = defineEndpoint({
  id: 'progress.dataset',
  method: 'GET',
  path: '/datasets/:dataset_id/progress',
  result: DatasetProgress,
  errors: [403, 404],
  summary: 'Records by status and everyone who ever answered',
})
export const getUsersProgress = defineEndpoint({
  id: 'progress.users',
  method: 'GET',
  path: '/datasets/:dataset_id/users/progress',
  result: UsersProgress,
  errors: [403, 404],
  summary: "Each user's responses by record status and response status",
})
export const getMyMetrics = defineEndpoint({
  id: 'progress.my_metrics',
  method: 'GET',
  path: '/me/datasets/:dataset_id/metrics',
  result: MyMetrics,
  errors: [403, 404],
  summary: "The caller's responses by status",
})

export const progressEndpoints = [getProgress, getUsersProgress, getMyMetrics] as const
