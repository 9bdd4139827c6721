import { notFoundBecause } from '@postil/contract/errors.ts'
import { finishOauth, listOauthProviders, startOauth } from '@postil/contract/oauth.ts'
import { publicRoute } from '#platform/http/route.ts'

const unknown = (provider: string) => notFoundBecause(`OAuth provider \`${provider}\` is not configured`)

/** No identity provider is configured, so every name is an unknown one. */
export const oauthRoutes = [
  publicRoute(listOauthProviders, () => ({ items: [] })),
  publicRoute(startOauth, ({ params }) => {
    throw unknown(params.provider)
  }),
  publicRoute(finishOauth, ({ params }) => {
    throw unknown(params.provider)
  }),
]
