import type { AppOptions } from '@postil/server/app.ts'
import { type App, createApp } from '@postil/server/app.ts'
import { ensureOwner } from '@postil/server/features/auth/first-start.ts'
import { type Env, readConfig } from '@postil/server/platform/config/read-config.ts'
import { type Client, createClient } from './client.ts'
import { createFactories, type Factories, type TestUser } from './factories.ts'
import { type Engine, migratedPlace } from './store.ts'

export type BootOptions = Partial<Omit<AppOptions, 'pageDir'>> & {
  readonly engine?: Engine
  /** Settings as environment variables, for example `{ POSTIL_BASE_URL: '/foo/' }`. */
  readonly env?: Env
  readonly pageDir?: string
  /** An existing store, which is kept when the server is closed. Default: an empty one. */
  readonly place?: { readonly folder: string; readonly url: string | undefined }
}

export type TestServer = Factories & {
  /** The URL with the path prefix, without a trailing slash. */
  readonly url: string
  readonly app: App
  readonly owner: TestUser
  /** An HTTP client with the user's API key. If `user` is null, it sends no credentials. */
  readonly clientFor: (user: { readonly api_key: string } | null) => Client
  readonly close: () => Promise<void>
}

const OWNER = { POSTIL_OWNER_PASSWORD: 'owner-password', POSTIL_OWNER_API_KEY: 'owner-api-key' }
/** The lowest cost that the algorithm accepts, because tests create many users. */
const CHEAP_PASSWORD_HASHING = { memoryCost: 8, timeCost: 1 }

/**
 * Starts the real server in this process, with an empty store of its own, on a free port of the loopback interface.
 * Every response is checked against the contract. There is one user, `owner`, in the workspace `default`.
 */
export const bootServer = async (options: BootOptions = {}): Promise<TestServer> => {
  const place = options.place ? { ...options.place, drop: async () => {} } : await migratedPlace(options.engine)
  try {
    const result = readConfig({
      POSTIL_DATA_DIR: place.folder,
      POSTIL_DATABASE_URL: place.url,
      POSTIL_SECRET: 'a secret of the tests, long enough',
      POSTIL_PORT: '0',
      POSTIL_LOG_LEVEL: 'silent',
      // Nothing listens on this port. Tests that need the Hub use the stand-in.
      HF_ENDPOINT: 'http://127.0.0.1:9',
      POSTIL_DATASETS_SERVER: 'http://127.0.0.1:9',
      ...OWNER,
      ...options.env,
    })
    if (!result.ok) throw new Error(result.problems.join('\n'))
    const { config } = result
    const app = await createApp(config, {
      pageDir: `${place.folder}/no page`,
      passwordCost: CHEAP_PASSWORD_HASHING,
      validateResponses: true,
      ...options,
    })
    await ensureOwner(app.ctx)
    const url = (await app.listen()) + config.baseUrl.slice(0, -1)
    const clientFor: TestServer['clientFor'] = (user) => createClient(url, user)
    const me = await clientFor({ api_key: OWNER.POSTIL_OWNER_API_KEY }).get<TestUser>('/me')
    const owner = { ...me.body, api_key: OWNER.POSTIL_OWNER_API_KEY, password: OWNER.POSTIL_OWNER_PASSWORD }
    return {
      ...createFactories(clientFor(owner)),
      url,
      app,
      owner,
      clientFor,
      close: async () => {
        await app.close()
        await place.drop()
      },
    }
  } catch (error) {
    await place.drop()
    throw error
  }
}
