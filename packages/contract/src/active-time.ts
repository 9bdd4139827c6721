import { z } from 'zod'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { bool } from './wire/scalars.ts'

export const ActiveTimeSettings = z.strictObject({
  /** Whether owners and the workspace's admins see the active time of other people. */
  shown_to_leads: z.boolean(),
})
export type ActiveTimeSettings = z.infer<typeof ActiveTimeSettings>

/** The median and the quartiles of the active time per submitted answer. Answers without active time are left out. */
export const ActiveTime = z.strictObject({
  answers: z.int(),
  lower_ms: z.number(),
  median_ms: z.number(),
  upper_ms: z.number(),
})
export type ActiveTime = z.infer<typeof ActiveTime>

export const getActiveTimeSettings = defineEndpoint({
  id: 'active_time_settings.get',
  method: 'GET',
  path: '/datasets/:dataset_id/active-time-settings',
  result: ActiveTimeSettings,
  errors: [403, 404],
  addition: true,
  summary: 'Get who sees the active time of annotators in a dataset',
})
export const setActiveTimeSettings = defineEndpoint({
  id: 'active_time_settings.set',
  method: 'PUT',
  path: '/datasets/:dataset_id/active-time-settings',
  body: z.object({ shown_to_leads: bool() }),
  result: ActiveTimeSettings,
  errors: [403, 404],
  addition: true,
  summary: 'Set who sees the active time of annotators in a dataset',
})
export const getMyActiveTime = defineEndpoint({
  id: 'active_time.mine',
  method: 'GET',
  path: '/me/datasets/:dataset_id/active-time',
  result: z.strictObject({ active_time: ActiveTime.nullable(), shown_to_leads: z.boolean() }),
  errors: [403, 404],
  addition: true,
  summary: "Get the caller's active time per answer in a dataset, and whether leads see it",
})

export const activeTimeEndpoints = [getActiveTimeSettings, setActiveTimeSettings, getMyActiveTime] as const
