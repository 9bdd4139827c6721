import { z } from 'zod'
import { defineEndpoint } from './define-endpoint.ts'
import { jsonObject } from './scalars.ts'

/** Members without a value are left out. */
export const Settings = z.strictObject({
  argilla: z.strictObject({
    share_your_progress_enabled: z.boolean(),
    show_huggingface_space_persistent_storage_warning: z.boolean().exactOptional(),
  }),
  huggingface: z
    .strictObject({
      space_id: z.string(),
      space_title: z.string().exactOptional(),
      space_subdomain: z.string().exactOptional(),
      space_host: z.string().exactOptional(),
      space_repo_name: z.string().exactOptional(),
      space_author_name: z.string().exactOptional(),
      space_persistent_storage_enabled: z.boolean(),
    })
    .exactOptional(),
})
export type Settings = z.infer<typeof Settings>

/** The version of the published server that the wire is compatible with. */
export const wireVersion = '2.8.0'

export const getSettings = defineEndpoint({
  id: 'info.settings',
  method: 'GET',
  path: '/settings',
  access: 'none',
  result: Settings,
  summary: 'What a page needs to know before signing in',
})
export const getVersion = defineEndpoint({
  id: 'info.version',
  method: 'GET',
  path: '/version',
  access: 'none',
  result: z.strictObject({ version: z.string() }),
  summary: 'The version of the wire',
})
export const getStatus = defineEndpoint({
  id: 'info.status',
  method: 'GET',
  path: '/status',
  access: 'none',
  result: z.strictObject({
    version: z.string(),
    search_engine: jsonObject(),
    memory: jsonObject(),
    store: jsonObject(),
    jobs: jsonObject(),
    disk: jsonObject(),
  }),
  summary: 'Version and state of the server',
})

export const infoEndpoints = [getSettings, getVersion, getStatus] as const
