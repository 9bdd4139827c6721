import { z } from 'zod'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { jsonObject, printedDatetime } from './wire/scalars.ts'

/** Keys without a value are omitted. */
export const Settings = z.strictObject({
  argilla: z.strictObject({
    share_your_progress_enabled: z.boolean(),
    show_huggingface_space_persistent_storage_warning: z.boolean().exactOptional(),
  }),
  /**
   * The demo user that anyone can sign in as. Argilla's API doesn't have this key. Omitted if the operator has not set a demo
   * user.
   */
  demo: z.strictObject({ username: z.string() }).exactOptional(),
  /** The maximum size of one answer's values when serialized as JSON, in bytes. Argilla's API doesn't have this key. */
  answers: z.strictObject({ max_bytes: z.int() }),
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

/** The Argilla version whose API this server implements. */
export const wireVersion = '2.8.0'

export const getSettings = defineEndpoint({
  id: 'info.settings',
  method: 'GET',
  path: '/settings',
  access: 'none',
  result: Settings,
  summary: 'Get the settings that a client needs before signing in',
})
export const getVersion = defineEndpoint({
  id: 'info.version',
  method: 'GET',
  path: '/version',
  access: 'none',
  result: z.strictObject({ version: z.string() }),
  summary: 'Get the version of the Argilla API that the server implements',
})
export const getStatus = defineEndpoint({
  id: 'info.status',
  method: 'GET',
  path: '/status',
  access: 'none',
  result: z.strictObject({
    version: z.string(),
    /** Only owners get this key and the keys below. */
    search_engine: jsonObject().exactOptional(),
    memory: jsonObject().exactOptional(),
    store: jsonObject().exactOptional(),
    jobs: jsonObject().exactOptional(),
    disk: jsonObject().exactOptional(),
  }),
  summary: 'Get the version of the API; owners also get the state of the server',
})

/** The state of the server, for its owners. Sizes are in bytes, or null if the system does not report them. */
export const Instance = z.strictObject({
  version: z.string(),
  wire_version: z.string(),
  node_version: z.string(),
  started_at: printedDatetime(),
  /** False if the database does not respond in time. `store`, `content`, `jobs` and `deliveries` are null in that case. */
  ready: z.boolean(),
  store: z
    .strictObject({ engine: z.string(), version: z.string(), schema: z.string().nullable(), bytes: z.int().nullable() })
    .nullable(),
  content: z.strictObject({ users: z.int(), workspaces: z.int(), datasets: z.int(), records: z.int() }).nullable(),
  jobs: z.strictObject({ waiting: z.int(), running: z.int(), failed: z.int() }).nullable(),
  deliveries: z.strictObject({ waiting: z.int(), oldest_at: printedDatetime().nullable(), given_up: z.int() }).nullable(),
  disk: z.strictObject({ free: z.int(), total: z.int() }).nullable(),
  memory: z.strictObject({ rss: z.int(), heap: z.int() }),
})
export type Instance = z.infer<typeof Instance>

export const getInstance = defineEndpoint({
  id: 'info.instance',
  method: 'GET',
  path: '/instance',
  result: Instance,
  errors: [403],
  addition: true,
  summary: 'Get the state of the server, its database and its disk',
})

export const infoEndpoints = [getSettings, getVersion, getStatus, getInstance] as const
